# group: data
# seen: 2026-11-29c
# fails: AttributeError: 'NoneType' object has no attribute 'transform'
# cause: fit() of the custom transformer returns nothing; it has to return self.
# holds: sorted(pipe[0].keep_["make"]) -> ['Fiat', 'Opel', 'VW']
# holds: pipe[1].get_feature_names_out().tolist() -> ['make_Fiat', 'make_Opel', 'make_VW', 'make_other']
# holds: pipe.predict(cars).shape -> (120,)

# %%
import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.linear_model import Ridge

# %%
rng = np.random.default_rng(14)
cars = pd.DataFrame({"make": rng.choice(["VW", "Opel", "Fiat", "Lada", "Saab"], 120, p=[.4, .3, .24, .04, .02])})
price = cars["make"].map({"VW": 9, "Opel": 7, "Fiat": 6, "Lada": 2, "Saab": 11}) + rng.normal(0, 1, 120)
cars["make"].value_counts()

# %%
class RareGrouper(BaseEstimator, TransformerMixin):
    """replace values seen fewer than min_count times by 'other'"""
    def __init__(self, min_count=15):
        self.min_count = min_count

    def fit(self, X, y=None):
        self.keep_ = {}
        for c in X.columns:
            n = X[c].value_counts()
            self.keep_[c] = set(n[n >= self.min_count].index)

    def transform(self, X):
        X = X.copy()
        for c, keep in self.keep_.items():
            X[c] = X[c].where(X[c].isin(keep), "other")
        return X

# %% [repaired]
class RareGrouper(BaseEstimator, TransformerMixin):
    """replace values seen fewer than min_count times by 'other'"""
    def __init__(self, min_count=15):
        self.min_count = min_count

    def fit(self, X, y=None):
        self.keep_ = {}
        for c in X.columns:
            n = X[c].value_counts()
            self.keep_[c] = set(n[n >= self.min_count].index)
        return self

    def transform(self, X):
        X = X.copy()
        for c, keep in self.keep_.items():
            X[c] = X[c].where(X[c].isin(keep), "other")
        return X

# %%
pipe = Pipeline([
    ("rare", RareGrouper()),
    ("onehot", OneHotEncoder(handle_unknown="ignore")),
    ("ridge", Ridge(alpha=0.1)),
])
pipe

# %%
pipe.fit(cars, price)
print("R2:", round(pipe.score(cars, price), 3))

# %%
pipe.predict(cars.head())
