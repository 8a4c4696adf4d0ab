# group: data
# seen: 2026-11-30h
# fails: ValueError: Index contains duplicate entries, cannot reshape
# cause: pivot needs one row for each (day, sensor), here there are several readings a day; pivot_table with the mean
#   gives the daily mean which the text asks for.
# holds: wide.shape -> (6, 3)
# holds: list(wide.columns) -> ['attic', 'cellar', 'hall']
# holds: bool(np.isclose(wide.loc[pd.Timestamp("2024-05-01"), "hall"], log[(log.sensor == "hall") & (log.day == "2024-05-01")].temp.mean())) -> True

# %% [markdown]
# Long to wide: one row per day, one column per sensor, value = average temp of the day

# %%
import numpy as np
import pandas as pd

# %%
rng = np.random.default_rng(77)
ts = pd.date_range("2024-05-01", periods=24, freq="6h")
log = pd.concat([pd.DataFrame({"ts": ts, "sensor": s, "temp": b + rng.normal(0, 1, 24)})
                 for s, b in [("attic", 25), ("cellar", 12), ("hall", 20)]], ignore_index=True)
log["day"] = log["ts"].dt.normalize()
log.sample(5, random_state=0)

# %%
wide = log.pivot(index="day", columns="sensor", values="temp")
wide

# %% [repaired]
wide = log.pivot_table(index="day", columns="sensor", values="temp", aggfunc="mean")
wide

# %%
diff = (wide["attic"] - wide["cellar"]).round(2)
diff

# %%
print("warmest day in the attic:", wide["attic"].idxmax().date())
