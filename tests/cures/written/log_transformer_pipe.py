# group: data
# seen: 2026-11-29d
# fails: AttributeError: 'NoneType' object has no attribute 'transform'
# cause: LogClip.fit does not return self; the pipeline's fit_transform chains .fit(...).transform(...) and gets None.
# holds: pipe.named_steps["log"].hi_.shape -> (2,)
# holds: pipe[:-1].transform(X).shape -> (150, 2)
# holds: round(float(pipe.score(X, y)), 3) -> 0.96

# %%
import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.linear_model import Ridge
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

# %%
class LogClip(TransformerMixin, BaseEstimator):
    """clip at a high quantile, then log1p"""
    def __init__(self, q=0.99):
        self.q = q

    def fit(self, X, y=None):
        self.hi_ = np.quantile(np.asarray(X), self.q, axis=0)

    def transform(self, X):
        return np.log1p(np.minimum(np.asarray(X), self.hi_))

# %% [repaired]
class LogClip(TransformerMixin, BaseEstimator):
    """clip at a high quantile, then log1p"""
    def __init__(self, q=0.99):
        self.q = q

    def fit(self, X, y=None):
        self.hi_ = np.quantile(np.asarray(X), self.q, axis=0)
        return self

    def transform(self, X):
        return np.log1p(np.minimum(np.asarray(X), self.hi_))

# %%
rs = np.random.RandomState(3)
X = pd.DataFrame({"income": rs.lognormal(10, .7, 150), "assets": rs.lognormal(8, 1.2, 150)})
y = 2 * np.log(X.income) + .5 * np.log(X.assets) + rs.normal(0, .3, 150)
X.describe()

# %%
pipe = Pipeline([("log", LogClip(q=.98)), ("sc", StandardScaler()), ("m", Ridge(alpha=.1))])

# %%
pipe.fit(X, y)
print("R2 %.3f" % pipe.score(X, y))
