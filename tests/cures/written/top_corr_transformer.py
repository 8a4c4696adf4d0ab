# group: data
# seen: 2026-11-30f
# fails: AttributeError: 'TopCorr' object has no attribute 'n_keep'
# cause: the own transformer stores its __init__ argument n_keep under another name (self.k), so clone()/get_params() don't find it.
# holds: len(scores) -> 5
# holds: pipe.get_params()["sel__n_keep"] -> 6
# holds: pipe.fit(X, y).named_steps["sel"].transform(X).shape -> (150, 6)

# %%
import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.datasets import make_regression
from sklearn.linear_model import Ridge
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import Pipeline

# %%
X, y = make_regression(n_samples=150, n_features=20, n_informative=4, noise=5, random_state=2)
X.shape

# %%
class TopCorr(BaseEstimator, TransformerMixin):
    """keep the features with the largest |corr| to y"""
    def __init__(self, n_keep=5):
        self.k = n_keep

    def fit(self, X, y):
        r = [abs(np.corrcoef(X[:, j], y)[0, 1]) for j in range(X.shape[1])]
        self.cols_ = np.argsort(r)[::-1][:self.k]
        return self

    def transform(self, X):
        return X[:, self.cols_]

# %% [repaired]
class TopCorr(BaseEstimator, TransformerMixin):
    """keep the features with the largest |corr| to y"""
    def __init__(self, n_keep=5):
        self.n_keep = n_keep

    def fit(self, X, y):
        r = [abs(np.corrcoef(X[:, j], y)[0, 1]) for j in range(X.shape[1])]
        self.cols_ = np.argsort(r)[::-1][:self.n_keep]
        return self

    def transform(self, X):
        return X[:, self.cols_]

# %%
# quick test by hand
TopCorr(3).fit(X, y).transform(X).shape

# %%
pipe = Pipeline([("sel", TopCorr(n_keep=6)), ("ridge", Ridge())])
scores = cross_val_score(pipe, X, y, cv=5)
print(scores.round(3), scores.mean())
