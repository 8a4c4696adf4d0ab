# library: pandas
# needs: numpy, pandas
# compare: fastest, gaps, stints, consistency

# %%
import numpy as np, pandas as pd
from collections import OrderedDict

rng = np.random.default_rng(44)
drivers = OrderedDict(HAM=88.1, VER=87.9, LEC=88.4)
laps = []
for drv, base in drivers.items():
    for lap in range(1, 21):
        t = base + 0.03 * (lap % 10) + rng.normal(0, 0.15) + (18 if lap == 10 else 0)
        m, s = divmod(t, 60)
        laps.append({"driver": drv, "lap": lap, "time": f"{int(m)}:{s:06.3f}", "tyre": "soft" if lap <= 10 else "hard"})
pd.DataFrame(laps).to_csv("laps.csv", index=False)

# %%
laps = pd.read_csv("laps.csv")
laps.time.head()

# %%
def to_seconds(text):
    minutes, seconds = text.split(":")
    return int(minutes) * 60 + float(seconds)

laps["sec"] = laps["time"].apply(to_seconds)
laps["pit"] = laps["sec"] > laps.groupby("driver")["sec"].transform("median") + 10
laps["pit"].sum()

# %%
clean = laps[~laps["pit"]]
fastest = clean.loc[clean.groupby("driver")["sec"].idxmin(), ["driver", "lap", "sec"]].set_index("driver")
fastest

# %%
race = laps.pivot(index="lap", columns="driver", values="sec").cumsum()
leader = race.min(axis=1)
gaps = race.sub(leader, axis=0).iloc[[0, 9, 19]].round(3)
gaps

# %%
stints = clean.groupby(["driver", "tyre"])["sec"].agg(["mean", "count"]).round(3)
stints.loc[("VER", "hard")]

# %%
slope = lambda g: np.polyfit(g["lap"], g["sec"], deg=1)[0]
wear = {d: round(slope(g), 4) for d, g in clean[clean.tyre == "hard"].groupby("driver")}
consistency = clean.groupby("driver")["sec"].std().round(3).sort_values()
print(wear)
consistency

