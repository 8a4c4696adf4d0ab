# group: data
# seen: 2026-11-30g
# fails: ValueError: You are trying to merge on int64 and str columns for key 'Store'. If you wish to proceed you should use pd.concat
# cause: the store file pads its ids with zeros and is read with dtype=str, so `Store` is text there and a number in the sales table;
#   the key must be turned into int before the merge.
# holds: merged.shape -> (30, 5)
# holds: int(merged["StoreType"].isna().sum()) -> 0
# holds: per_type.to_dict() -> {'a': 78484, 'b': 23624, 'c': 66466}

# %% [markdown]
# ### Store sales - joining the store metadata onto train

# %%
import pandas as pd
import numpy as np
from io import StringIO

# %%
# first lines of store.csv
raw = """Store,StoreType,CompetitionDistance
0001,a,1270
0002,c,570
0003,a,14130
0004,b,620
0005,c,29910
"""

# %%
rng = np.random.RandomState(7)
train = pd.DataFrame({
    "Store": rng.randint(1, 6, 30),
    "DayOfWeek": np.tile(range(1, 7), 5),
    "Sales": rng.randint(2000, 9000, 30),
})
train.head()

# %%
# dtype=str otherwise I lose something with the distances later
store = pd.read_csv(StringIO(raw), dtype=str)
store["CompetitionDistance"] = store["CompetitionDistance"].astype(float)
print(train.shape, store.shape)

# %% [repaired]
# dtype=str otherwise I lose something with the distances later
store = pd.read_csv(StringIO(raw), dtype=str)
store["CompetitionDistance"] = store["CompetitionDistance"].astype(float)
store["Store"] = store["Store"].astype(int)
print(train.shape, store.shape)

# %%
merged = train.merge(store, how="left", on="Store")
merged.head()

# %%
per_type = merged.groupby("StoreType")["Sales"].sum()
print(per_type)
