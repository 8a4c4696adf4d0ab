# group: data
# seen: 2026-11-30f
# fails: TypeError: Axes.boxplot() got an unexpected keyword argument 'labels'
# cause: matplotlib's boxplot has no `labels` argument any more; it is called tick_labels.
# holds: [t.get_text() for t in ax.get_xticklabels()] -> ['bike', 'bus', 'car']
# holds: len(bp["medians"]) -> 3
# holds: ax.get_ylabel() -> 'minutes door to door'

# %%
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

# %%
rnd = np.random.RandomState(33)
trips = pd.DataFrame({
    "mode": rnd.choice(["bike", "bus", "car"], 150, p=[.3, .3, .4]),
    "km": rnd.gamma(3, 3, 150),
})
speed = trips["mode"].map({"bike": 15, "bus": 18, "car": 28})
trips["min"] = (trips.km / speed * 60 + rnd.exponential(5, 150)).round()
trips.head()

# %%
groups = {m: g["min"].values for m, g in trips.groupby("mode")}
{m: len(v) for m, v in groups.items()}

# %%
fig, ax = plt.subplots(figsize=(5, 4))
bp = ax.boxplot(list(groups.values()), labels=list(groups.keys()), showfliers=False)
ax.set_ylabel("minutes door to door")
plt.show()

# %% [repaired]
fig, ax = plt.subplots(figsize=(5, 4))
bp = ax.boxplot(list(groups.values()), tick_labels=list(groups.keys()), showfliers=False)
ax.set_ylabel("minutes door to door")
plt.show()

# %%
print({m: float(np.median(v)) for m, v in groups.items()})
