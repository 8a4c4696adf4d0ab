# library: scikit-learn
# needs: numpy, pandas, sklearn
# compare: shape, cv_mean, columns

# %%
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.linear_model import Ridge
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import StandardScaler
import numpy as np
import pandas as pd

# %%
class DataFrameSelector(BaseEstimator, TransformerMixin):
    def __init__(self, attribute_names):
        self.attribute_names = attribute_names

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return X[self.attribute_names].values


class RatioAdder(BaseEstimator, TransformerMixin):
    """Adds rooms per household (Geron's book, chapter 2)."""

    def __init__(self, add_bedrooms=True):
        self.add_bedrooms = add_bedrooms

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        rooms_ix, bedrooms_ix, households_ix = 0, 1, 2
        rooms_per_household = X[:, rooms_ix] / X[:, households_ix]
        if self.add_bedrooms:
            bedrooms_per_room = X[:, bedrooms_ix] / X[:, rooms_ix]
            return np.c_[X, rooms_per_household, bedrooms_per_room]
        return np.c_[X, rooms_per_household]


class Dummies(BaseEstimator, TransformerMixin):
    def fit(self, X, y=None):
        self.columns_ = pd.get_dummies(X).columns
        return self

    def transform(self, X):
        return pd.get_dummies(X).reindex(columns=self.columns_, fill_value=0).astype(float).values

# %%
rng = np.random.RandomState(42)
housing = pd.DataFrame({
    "total_rooms": rng.randint(500, 5000, 150),
    "households": rng.randint(100, 900, 150),
    "median_income": rng.gamma(4, 1, 150).round(3),
    "ocean_proximity": rng.choice(["INLAND", "NEAR BAY", "<1H OCEAN"], 150),
})
housing["total_bedrooms"] = (housing["total_rooms"] * rng.uniform(.15, .3, 150)).astype(int)
housing["median_house_value"] = 40000 * housing["median_income"] + 30000 * (housing["ocean_proximity"] == "NEAR BAY") + rng.normal(0, 20000, 150)
housing.head()

# %%
num_attribs = ["total_rooms", "total_bedrooms", "households", "median_income"]
num_pipeline = Pipeline([
    ("selector", DataFrameSelector(num_attribs)),
    ("ratios", RatioAdder()),
    ("scaler", StandardScaler()),
])
cat_pipeline = Pipeline([("pick", Dummies())])

prepared = num_pipeline.fit_transform(housing)
cats = cat_pipeline.fit_transform(housing[["ocean_proximity"]])
full = np.hstack([prepared, cats])
shape = full.shape
shape

# %%
columns = num_attribs + ["rooms_per_hh", "bedrooms_per_room"] + list(cat_pipeline.named_steps["pick"].columns_)
pd.DataFrame(full, columns=columns).describe().loc[["mean", "std"]].round(2)

# %%
scores = cross_val_score(Ridge(alpha=1.0), full, housing["median_house_value"], scoring="neg_mean_squared_error", cv=5)
rmse_scores = np.sqrt(-scores)

def display_scores(scores):
    print("Scores:", scores.round(0))
    print("Mean:", scores.mean().round(1))

display_scores(rmse_scores)
cv_mean = rmse_scores.mean()

