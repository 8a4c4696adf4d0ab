# group: data
# seen: 2026-11-28
# fails: TypeError: got an unexpected keyword argument 'squared'
# cause: mean_squared_error lost its squared= argument (sklearn 1.6); report() of cell 3 still passes it.
# holds: {k: round(float(v["rmse"]),2) for k, v in scores.items()} -> {'ols': 55.68, 'forest': 57.96}

# %%
import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_absolute_error, mean_squared_error
from sklearn.model_selection import train_test_split

# %%
X, y = load_diabetes(return_X_y=True, as_frame=True)
X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=.3, random_state=3)

# %%
def report(y, p):
    return {
        "mae": mean_absolute_error(y, p),
        "rmse": mean_squared_error(y, p, squared=False),
    }

# %% [repaired]
def report(y, p):
    return {
        "mae": mean_absolute_error(y, p),
        "rmse": mean_squared_error(y, p) ** 0.5,
    }

# %%
models = {"ols": LinearRegression(), "forest": RandomForestRegressor(50, min_samples_leaf=5, random_state=0)}
scores = {}
for name, m in models.items():
    m.fit(X_tr, y_tr)
    scores[name] = report(y_te, m.predict(X_te))

# %%
pd.DataFrame(scores).T.round(1)
