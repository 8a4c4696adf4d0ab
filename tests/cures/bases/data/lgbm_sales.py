# library: lightgbm
# needs: lightgbm, numpy, pandas
# compare: wmape, preds, lag_frame

# %%
import numpy as np
import pandas as pd
from lightgbm import LGBMRegressor

rng = np.random.default_rng(64)
dates = pd.date_range("2017-01-01", periods=120)
rows = []
for store in [1, 2, 3]:
    for item in ["milk", "bread"]:
        base = rng.integers(20, 60)
        qty = base + 8 * (dates.dayofweek >= 5) + rng.integers(-4, 5, len(dates))
        rows.append(pd.DataFrame({"date": dates, "store": store, "item": item, "sales": qty}))
pd.concat(rows).to_parquet("sales.parquet", index=False)

# %%
sales = pd.read_parquet("sales.parquet")
sales.info()

# %%
sales = sales.sort_values(["store", "item", "date"])
for lag in (7, 14):
    sales[f"lag_{lag}"] = sales.groupby(["store", "item"])["sales"].shift(lag)
sales["roll_7"] = sales.groupby(["store", "item"])["sales"].transform(lambda s: s.shift(7).rolling(7).mean())
sales["dow"] = sales["date"].dt.dayofweek
sales["item"] = sales["item"].astype("category")
lag_frame = sales.dropna().head(3)[["lag_7", "lag_14", "roll_7"]]
lag_frame

# %%
cutoff = pd.Timestamp("2017-04-10")
full = sales.dropna()
train = full[full["date"] < cutoff]
valid = full[full["date"] >= cutoff]
feats = ["store", "item", "lag_7", "lag_14", "roll_7", "dow"]
print(train.shape, valid.shape)

# %%
model = LGBMRegressor(n_estimators=40, learning_rate=0.1, num_leaves=15, random_state=0, n_jobs=1, verbose=-1)
model.fit(train[feats], train["sales"])
preds = model.predict(valid[feats]).round(2)
wmape = np.abs(preds - valid["sales"].to_numpy()).sum() / valid["sales"].sum()
print(f"WMAPE {wmape:.3f}")
