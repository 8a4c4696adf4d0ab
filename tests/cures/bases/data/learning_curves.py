# library: scikit-learn
# needs: matplotlib, numpy, scipy, sklearn
# compare: best_alpha, curve_means, kept_features, sparse_shape

# %%
import numpy as np
import matplotlib.pyplot as plt
from scipy import sparse

from sklearn.datasets import make_regression
from sklearn.feature_selection import RFE, VarianceThreshold, mutual_info_regression
from sklearn.linear_model import Lasso, LassoCV, SGDRegressor
from sklearn.model_selection import learning_curve, validation_curve
from sklearn.preprocessing import KBinsDiscretizer

# %%
X, y, coef = make_regression(n_samples=150, n_features=12, n_informative=4, noise=12.0, coef=True, random_state=26)
X[:, 11] = 1.0
print(X.shape, np.count_nonzero(coef))

# %%
selector = VarianceThreshold(threshold=0.01)
X = selector.fit_transform(X)
X.shape

# %%
alphas = np.logspace(-2, 1, 6)
train_scores, val_scores = validation_curve(Lasso(), X, y, param_name="alpha", param_range=alphas, cv=3)
best_alpha = float(alphas[val_scores.mean(axis=1).argmax()].round(4))
plt.semilogx(alphas, train_scores.mean(axis=1), label="train")
plt.semilogx(alphas, val_scores.mean(axis=1), label="validation")
plt.legend()
plt.show()
best_alpha

# %%
sizes, tr, te = learning_curve(Lasso(alpha=best_alpha), X, y, train_sizes=[0.2, 0.5, 1.0], cv=3)
curve_means = te.mean(axis=1).round(3)
dict(zip(sizes.tolist(), curve_means))

# %%
rfe = RFE(Lasso(alpha=0.1), n_features_to_select=4).fit(X, y)
kept_features = np.flatnonzero(rfe.support_)
mi = mutual_info_regression(X, y, random_state=0)
print(kept_features, mi.argsort()[::-1][:4])

# %%
kb = KBinsDiscretizer(n_bins=4, encode="onehot", strategy="uniform")
Xb = kb.fit_transform(X[:, :3])
full = sparse.hstack([sparse.csr_matrix(X[:, 3:]), Xb]).tocsr()
sparse_shape = full.shape
SGDRegressor(random_state=0, max_iter=50, tol=1e-2).fit(full, y).score(full, y) > 0.5

