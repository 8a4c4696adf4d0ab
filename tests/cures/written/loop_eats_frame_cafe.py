# group: data
# seen: 2026-11-29c
# fails: KeyError: 'Bahnhof'
# cause: the plotting loop uses the name df for the part of each branch, so afterwards df holds only the last branch.
# holds: len(df) -> 90
# holds: sorted(table.columns) -> ['Altstadt', 'Bahnhof', 'Campus']
# holds: round(float(gap.sum()), 1) -> 6777.1

# %%
import pandas as pd
import numpy as np
import matplotlib.pyplot as plt

# %%
rng = np.random.default_rng(0)
days = pd.date_range("2025-03-01", periods=30)
parts = []
for branch, base in [("Altstadt", 410), ("Bahnhof", 620), ("Campus", 300)]:
    parts.append(pd.DataFrame({"day": days, "branch": branch,
                               "takings": (base + rng.normal(0, 40, 30)).round(2)}))
df = pd.concat(parts, ignore_index=True)
print(df.shape)
df.head()

# %%
fig, ax = plt.subplots(figsize=(8, 3))
for branch, df in df.groupby("branch"):
    ax.plot(df["day"], df["takings"], label=branch)
ax.legend()
plt.show()

# %% [repaired]
fig, ax = plt.subplots(figsize=(8, 3))
for branch, part in df.groupby("branch"):
    ax.plot(part["day"], part["takings"], label=branch)
ax.legend()
plt.show()

# %%
# one column per branch
table = df.pivot(index="day", columns="branch", values="takings")

# %%
gap = table["Bahnhof"] - table["Altstadt"]
print("mean difference:", gap.mean())
