# group: data
# seen: 2026-11-30f
# fails: KeyError: 'North'
# cause: the plotting loop uses `sales` as its loop variable, so after it `sales` is only the last region's part.
# holds: share -> 0.281
# holds: len(sales) -> 200
# holds: sorted(totals.index) -> ['East', 'North', 'South', 'West']

# %%
import numpy as np, pandas as pd
import matplotlib.pyplot as plt

# %%
rng = np.random.default_rng(3)
sales = pd.DataFrame({
    "region": rng.choice(["North", "East", "South", "West"], 200),
    "week": rng.integers(1, 13, 200),
    "amount": rng.gamma(2, 80, 200).round(2),
})
sales.sample(5, random_state=0)

# %%
fig, ax = plt.subplots(figsize=(7, 3))
for name, sales in sales.groupby("region"):
    weekly = sales.groupby("week")["amount"].sum()
    ax.plot(weekly.index, weekly.values, label=name)
ax.legend()
plt.show()

# %% [repaired]
fig, ax = plt.subplots(figsize=(7, 3))
for name, part in sales.groupby("region"):
    weekly = part.groupby("week")["amount"].sum()
    ax.plot(weekly.index, weekly.values, label=name)
ax.legend()
plt.show()

# %%
totals = sales.groupby("region")["amount"].sum()
totals

# %%
# how important is the north for us?
share = round(float(totals["North"] / totals.sum()), 3)
print("North:", share)
