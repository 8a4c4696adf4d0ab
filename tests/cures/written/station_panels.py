# group: data
# seen: 2026-11-30f
# fails: TypeError: 'Axes' object is not iterable
# cause: panels() calls plt.subplots(1, n); with only one station left it returns a single Axes and not an array, so the zip over axes fails.
# holds: len(big) -> 1
# holds: list(axes)[0].get_title() -> 'Harbour'
# holds: len(list(axes)[0].lines) -> 1

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

# %%
def panels(n):
    fig, axes = plt.subplots(1, n, figsize=(4 * n, 3), sharey=True)
    return fig, axes

# %% [repaired]
def panels(n):
    fig, axes = plt.subplots(1, n, figsize=(4 * n, 3), sharey=True, squeeze=False)
    return fig, axes.ravel()

# %%
rng = np.random.default_rng(40)
obs = pd.concat([
    pd.DataFrame({"station": s, "day": np.arange(k), "pm10": rng.gamma(3, 8, k)})
    for s, k in [("Harbour", 60), ("School", 22), ("Park", 17)]
], ignore_index=True)
obs.station.value_counts()

# %%
# only stations with a decent amount of data
counts = obs["station"].value_counts()
big = counts[counts >= 30].index.tolist()
big

# %%
fig, axes = panels(len(big))
for ax, st in zip(axes, big):
    d = obs[obs["station"] == st]
    ax.plot(d["day"], d["pm10"])
    ax.set_title(st)
plt.show()
