# group: data
# seen: 2026-11-29c
# fails: ValueError: Input contains NaN.
# cause: shift(-1) leaves the last day without a target, and the feature cell keeps that row; only the gaps at the start were dropped.
# holds: int(feats["target"].isna().sum()) -> 0
# holds: len(feats) -> 53
# holds: len(train) + len(test) == len(feats) -> True

# %%
import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_absolute_error

# %%
rng = np.random.default_rng(2)
d = pd.date_range("2025-06-01", periods=60, freq="D")
load = pd.Series(500 + 40 * np.sin(np.arange(60) * 2 * np.pi / 7) + rng.normal(0, 8, 60), index=d, name="mwh")
load.head()

# %%
def make_features(s):
    out = s.to_frame("today")
    out["lag1"] = s.shift(1)
    out["lag6"] = s.shift(6)
    out = out.dropna()
    out["target"] = s.shift(-1)      # tomorrow
    return out

# %% [repaired]
def make_features(s):
    out = s.to_frame("today")
    out["lag1"] = s.shift(1)
    out["lag6"] = s.shift(6)
    out["target"] = s.shift(-1)      # tomorrow
    return out.dropna()

# %%
feats = make_features(load)
train, test = feats.iloc[:-10], feats.iloc[-10:]
print(train.shape, test.shape)

# %%
cols = ["today", "lag1", "lag6"]
lr = LinearRegression().fit(train[cols], train["target"])

# %%
pred = lr.predict(test[cols])
mae = mean_absolute_error(test["target"], pred)
print("MAE", mae)
