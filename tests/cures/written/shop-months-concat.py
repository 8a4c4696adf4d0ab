# group: data
# seen: 2026-11-30h
# fails: ValueError: cannot reindex on an axis with duplicate labels
# cause: concat keeps the row numbers 0..n of every month, so the index has duplicates and the filtered column can't be
#   aligned; concat needs ignore_index=True.
# holds: sales.index.is_unique -> True
# holds: len(sales) -> 60
# holds: int(sales["running"].isna().sum()) == int((sales["qty"] <= 0).sum()) -> True
# holds: int(sales["running"].max()) -> 195

# %%
import pandas as pd
import numpy as np

# %%
r = np.random.default_rng(8)
def month(name, n):
    return pd.DataFrame({"month": name, "item": r.choice(list("ABC"), n), "qty": r.integers(-1, 9, n)})

parts = [month("jan", 20), month("feb", 15), month("mar", 25)]
[len(p) for p in parts]

# %%
sales = pd.concat(parts)
print(sales.shape)
sales.tail()

# %% [repaired]
sales = pd.concat(parts, ignore_index=True)
print(sales.shape)
sales.tail()

# %%
# returns (-1) and zeros don't count for the running total
sold = sales.loc[sales["qty"] > 0, "qty"]
sales["running"] = sold.cumsum()

# %%
sales.groupby("month", sort=False)["running"].max()
