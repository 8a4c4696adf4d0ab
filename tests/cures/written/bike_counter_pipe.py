# group: data
# seen: 2026-11-30f
# fails: AttributeError: 'NoneType' object has no attribute 'groupby'
# cause: drop_broken() filters the frame but never returns it, so pipe() hands None to the next step.
# holds: len(profile) -> 24
# holds: int(profile.idxmax()) -> 8
# holds: bool((profile > 0).all()) -> True
# holds: round(float(profile[8]), 2) -> 67.38

# %% [markdown]
# # Bike counter on the river bridge
# Hourly counts, sensor reports -1 when it is broken.

# %%
import pandas as pd
import numpy as np
import matplotlib.pyplot as plt

# %%
np.random.seed(5)
ts = pd.date_range("2026-05-04", periods=24 * 14, freq="h")
peak = 60 * np.exp(-(ts.hour - 8) ** 2 / 4) + 50 * np.exp(-(ts.hour - 17) ** 2 / 6)
raw = pd.DataFrame({"ts": ts, "cnt": np.random.poisson(peak + 5)})
raw.loc[raw.sample(15, random_state=1).index, "cnt"] = -1
raw.tail()

# %%
def add_hour(df):
    return df.assign(hour=df["ts"].dt.hour)

def drop_broken(df):
    bad = df["cnt"] < 0
    print("dropping", bad.sum(), "rows")
    df = df[~bad]

# %% [repaired]
def add_hour(df):
    return df.assign(hour=df["ts"].dt.hour)

def drop_broken(df):
    bad = df["cnt"] < 0
    print("dropping", bad.sum(), "rows")
    return df[~bad]

# %%
profile = (
    raw
    .pipe(add_hour)
    .pipe(drop_broken)
    .groupby("hour")["cnt"].mean()
)

# %%
profile.plot(kind="bar", figsize=(8, 3))
plt.ylabel("bikes / h")
plt.show()
