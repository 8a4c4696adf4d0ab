# library: pandas
# needs: numpy, pandas
# compare: daily, worst_hour, gaps

# %%
import numpy as np, pandas as pd
from pathlib import Path

np.random.seed(3)
idx = pd.date_range("2023-06-01", periods=24 * 14, freq="h")
temp = 21 + 5 * np.sin(2 * np.pi * idx.hour / 24) + np.random.normal(0, .4, len(idx))
frame = pd.DataFrame({"timestamp": idx.strftime("%d/%m/%Y %H:%M"), "temp_c": temp.round(2), "humidity": np.random.randint(30, 70, len(idx))})
frame = frame.drop(index=[40, 41, 42, 200])
Path("logs").mkdir(exist_ok=True)
frame.to_csv("logs/sensor_07.csv", sep=";", index=False)

# %%
df = pd.read_csv("logs/sensor_07.csv", sep=";")
df.dtypes

# %%
df["timestamp"] = pd.to_datetime(df["timestamp"], format="%d/%m/%Y %H:%M")
df = df.set_index("timestamp").sort_index()
df.head(3)

# %%
gaps = df.index.to_series().diff().gt(pd.Timedelta("1h")).sum()
print("gaps:", gaps)

# %%
daily = (
    df.resample("D")
      .agg({"temp_c": ["min", "mean", "max"], "humidity": "mean"})
      .round(2)
)
daily.columns = ["_".join(c) for c in daily.columns]
daily.head()

# %%
df["hour"] = df.index.hour
hourly = df.groupby("hour")["temp_c"].mean()
worst_hour = hourly.idxmax()
worst_hour, hourly.max().round(1)

# %%
df["rolling"] = df["temp_c"].rolling(window=6, min_periods=1).mean()
df[["temp_c", "rolling"]].loc["2023-06-03"].head()

