# group: data
# seen: 2026-11-28
# fails: AttributeError: 'Axes' object has no attribute 'subplots'
# order: 1, 2, 3, 5, 4
# again: 1, 2, 3, 5, 4, 6
# cause: Cell 5, run before cell 4, binds plt to an Axes (plt = counts.plot.bar(...)); cell 4 then has no
#   plt.subplots.
# holds: type(plt).__name__ -> 'module'
# holds: len(axs) -> 3
# holds: counts.to_dict() -> {'cat': 100, 'dog': 82, 'rabbit': 18}

# %%
import pandas as pd
import numpy as np
import matplotlib.pyplot as plt

# %%
rng = np.random.default_rng(1)
pets = pd.DataFrame({
    "kind": rng.choice(["cat", "dog", "rabbit"], 200, p=[.5, .4, .1]),
    "weight": rng.gamma(4, 1.5, 200),
    "days": rng.integers(1, 90, 200),
})
pets.head()

# %%
counts = pets["kind"].value_counts()
counts

# %%
fig, axs = plt.subplots(1, 3, figsize=(10, 3), sharey=True)
for ax, (kind, g) in zip(axs, pets.groupby("kind")):
    ax.hist(g["weight"], bins=12)
    ax.set_title(kind)
fig.suptitle("weights");

# %%
plt = counts.plot.bar(color="teal", rot=0)
plt.set_ylabel("animals")

# %% [repaired]
bars = counts.plot.bar(color="teal", rot=0)
bars.set_ylabel("animals")

# %%
pets.plot.scatter("weight", "days", alpha=.4);
