# library: scikit-learn
# needs: matplotlib, numpy, sklearn
# compare: ratio, n_keep, Z_shape

# %%
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler
import numpy as np
import matplotlib.pyplot as plt

X, y = load_wine(return_X_y=True)
X.shape

# %%
X_std = StandardScaler().fit_transform(X)
X_std.mean(axis=0).round(6)

# %%
# by hand first
cov = np.cov(X_std.T)
eig_vals, eig_vecs = np.linalg.eigh(cov)
order = np.argsort(eig_vals)[::-1]
ratio = (eig_vals[order] / eig_vals.sum()).round(4)
ratio[:4]

# %%
pca = PCA(n_components=13)
pca.fit(X_std)
assert np.allclose(pca.explained_variance_ratio_, ratio, atol=1e-3)
cum = np.cumsum(pca.explained_variance_ratio_)
n_keep = int(np.argmax(cum >= 0.9)) + 1
n_keep

# %%
Z = PCA(n_components=n_keep).fit_transform(X_std)
Z_shape = Z.shape
for cls, color in zip(np.unique(y), ["r", "g", "b"]):
    plt.scatter(Z[y == cls, 0], Z[y == cls, 1], c=color, label=f"class {cls}", s=12)
plt.legend(loc="best")
plt.show()

