# group: data
# seen: 2026-11-29
# fails: KeyError: 'region'
# order: 1, 2, 3, 4, 4, 5
# again: 1, 2, 3, 4, 4, 5, 6
# cause: The merge cell was run twice: the second merge finds region and manager in both frames and renames them
#   region_x/region_y, so df["region"] no longer exists in the next cell.
# holds: round(float(per_region["revenue"].sum()),2) -> 59512.31
# holds: sorted(per_region.index.tolist()) -> ['east', 'north', 'west']
# holds: len(df) -> 60

# %%
import pandas as pd, numpy as np
np.random.seed(0)

# %%
sales = pd.DataFrame({
    "store_id": np.random.choice([101, 102, 103, 104], 60),
    "week": np.tile(np.arange(1, 16), 4),
    "revenue": np.random.gamma(5, 200, 60).round(2),
})
stores = pd.DataFrame({
    "store_id": [101, 102, 103, 104],
    "region": ["east", "east", "west", "north"],
    "manager": ["Ana", "Bo", "Chi", "Dee"],
})

# %%
df = sales.copy()
df["quarter"] = (df["week"] - 1) // 13 + 1
df.describe()

# %% [markdown]
# Add the store info

# %%
df = df.merge(stores, on="store_id", how="left")
print(df.shape)
df.head()

# %% [repaired]
df = df[["store_id", "week", "revenue", "quarter"]].merge(stores, on="store_id", how="left")
print(df.shape)
df.head()

# %%
per_region = df.groupby("region").agg(revenue=("revenue", "sum"), weeks=("week", "nunique"))
per_region.sort_values("revenue", ascending=False)

# %%
best = df.loc[df["revenue"].idxmax()]
print(f"best week: {best['week']} in {best['region']} ({best['manager']})")
