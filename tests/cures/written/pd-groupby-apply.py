# group: data
# seen: 2026-11-29
# fails: KeyError: 'store'
# cause: groupby.apply in pandas 3 leaves the grouping column out of the frames given to the function; summarize()
#   reads g["store"].
# holds: report.shape[0] -> 3
# holds: round(float(report["trend"].sum()),4) -> 0.9218
# holds: round(float(report["total"].sum()),1) -> 5368.0

# %%
import numpy as np
import pandas as pd

rng = np.random.default_rng(8)

# %%
weeks = pd.date_range("2024-01-07", periods=20, freq="W")
df = pd.concat([
    pd.DataFrame({"store": s, "week": weeks, "sales": rng.poisson(lam, 20) + slope * np.arange(20)})
    for s, lam, slope in [("Airport", 80, 1.5), ("Mall", 120, -0.7), ("Station", 60, 0.2)]
], ignore_index=True)
df.sample(5, random_state=0)

# %%
def summarize(g):
    t = np.arange(len(g))
    slope, _ = np.polyfit(t, g["sales"], 1)
    return pd.Series({
        "store": g["store"].iloc[0],
        "total": g["sales"].sum(),
        "trend": slope,
        "best_week": g.loc[g["sales"].idxmax(), "week"],
    })

# %% [repaired]
def summarize(g):
    t = np.arange(len(g))
    slope, _ = np.polyfit(t, g["sales"], 1)
    return pd.Series({
        "store": g.name,
        "total": g["sales"].sum(),
        "trend": slope,
        "best_week": g.loc[g["sales"].idxmax(), "week"],
    })

# %%
df["sales"] = df["sales"].round(1)
print(df["sales"].describe())

# %%
report = df.groupby("store").apply(summarize)
report

# %%
report["trend"].astype(float).plot.barh(title="weekly trend");
