# group: data
# seen: 2026-11-30f
# fails: KeyError: "['sulphatesresidual_sugar'] not in index"
# cause: a comma is missing between two strings of the feature list, so Python joins them to one name which is no column.
# holds: len(FEATURES) -> 5
# holds: X.shape -> (120, 5)
# holds: round(float(reg.score(X, wine["quality"])), 3) -> 0.811

# %%
import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression

# %%
FEATURES = [
    "alcohol",
    "volatile_acidity",
    "sulphates"
    "residual_sugar",
    "chlorides",
]
TARGET = "quality"

# %% [repaired]
FEATURES = [
    "alcohol",
    "volatile_acidity",
    "sulphates",
    "residual_sugar",
    "chlorides",
]
TARGET = "quality"

# %%
rng = np.random.default_rng(99)
wine = pd.DataFrame(rng.normal(size=(120, 6)), columns=["alcohol", "volatile_acidity", "sulphates", "residual_sugar", "chlorides", "density"])
wine["quality"] = 5.5 + .8 * wine["alcohol"] - .5 * wine["volatile_acidity"] + rng.normal(0, .5, 120)
wine.head()

# %%
wine["quality"].hist(bins=15)

# %%
X = wine[FEATURES]
reg = LinearRegression().fit(X, wine[TARGET])

# %%
pd.Series(reg.coef_, index=FEATURES).sort_values()
