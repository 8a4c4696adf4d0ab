# library: scikit-learn
# needs: numpy, pandas, sklearn
# compare: found, precision, profile

# %%
import numpy as np
import pandas as pd
from sklearn.ensemble import IsolationForest
from sklearn.model_selection import TimeSeriesSplit
from sklearn.neighbors import LocalOutlierFactor

# %%
rng = np.random.default_rng(404)
index = pd.date_range("2024-02-01", periods=300, freq="10min", name="time")
pump = pd.DataFrame({
    "pressure": 3.2 + 0.2 * np.sin(np.arange(300) / 20) + rng.normal(0, 0.05, 300),
    "flow": 55 + rng.normal(0, 1.0, 300),
    "current": 12 + rng.normal(0, 0.3, 300),
}, index=index)
broken = [60, 61, 150, 151, 152, 240]
pump.iloc[broken, 0] -= 1.0
pump.iloc[broken, 1] += 9
pump.to_csv("pump.csv")

# %%
df = pd.read_csv("pump.csv", index_col="time", parse_dates=["time"])
df.describe().round(2)

# %%
df["pressure_diff"] = df["pressure"].diff().fillna(0)
window = 12
feats = pd.concat(
    [df, df[["pressure", "flow"]].rolling(window, min_periods=1).std().fillna(0).add_suffix("_std")],
    axis=1,
)
feats.columns

# %%
iso = IsolationForest(n_estimators=40, contamination=0.02, random_state=1)
flag = iso.fit_predict(feats[["pressure", "flow", "current"]])
found = np.where(flag == -1)[0].tolist()
found

# %%
lof = LocalOutlierFactor(n_neighbors=20, contamination=0.02)
both = (flag == -1) & (lof.fit_predict(feats[["pressure", "flow"]]) == -1)
precision = len(set(found) & set(broken)) / len(found)
print(f"precision {precision:.2f}, agreed on {both.sum()}")

# %%
profile = df.assign(anomaly=flag == -1).groupby("anomaly")[["pressure", "flow"]].mean().round(3)
for fold, (past, future) in enumerate(TimeSeriesSplit(n_splits=3).split(df)):
    print(fold, past[-1], future[0], future[-1])
profile
