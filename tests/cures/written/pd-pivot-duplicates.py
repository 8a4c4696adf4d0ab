# group: data
# seen: 2026-11-29
# fails: ValueError: Index contains duplicate entries, cannot reshape
# cause: The February file is listed twice, so the concat holds every (station, date) of February twice, and pivot
#   refuses the duplicates.
# holds: wide.shape -> (84, 3)
# holds: round(float(wide.sum().sum()),1) -> 739.0
# holds: len(df) -> 252

# %%
import os
import numpy as np
import pandas as pd

# %%
# the yearly download, split by month
os.makedirs("rain", exist_ok=True)
rng = np.random.default_rng(5)
for m, name in [(1, "january"), (2, "february"), (3, "march")]:
    days = pd.date_range(f"2024-{m:02d}-01", periods=28)
    part = pd.DataFrame([(s, d.date(), round(rng.gamma(1, 3), 1)) for s in ["Alba", "Brest", "Como"] for d in days],
                        columns=["station", "date", "mm"])
    part.to_csv(f"rain/{name}.csv", index=False)
os.listdir("rain").sort()

# %%
files = ["january.csv", "february.csv", "february.csv", "march.csv"]
df = pd.concat([pd.read_csv(f"rain/{f}", parse_dates=["date"]) for f in files], ignore_index=True)
df.info()

# %% [repaired]
files = ["january.csv", "february.csv", "march.csv"]
df = pd.concat([pd.read_csv(f"rain/{f}", parse_dates=["date"]) for f in files], ignore_index=True)
df.info()

# %%
df["mm"] = df["mm"].clip(lower=0)
df["wet"] = df["mm"] > 1
df.groupby("station")["wet"].mean()

# %%
wide = df.pivot(index="date", columns="station", values="mm")
wide.head()

# %%
wide.cumsum().plot(figsize=(8, 3), title="cumulative rain");
