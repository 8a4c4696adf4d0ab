# group: data
# seen: 2026-11-29c
# fails: ValueError: cannot reindex on an axis with duplicate labels
# cause: the monthly tables are put together without ignore_index, so row labels occur several times and the result of diff cannot be aligned.
# holds: counts.index.is_unique -> True
# holds: int(counts["change"].isna().sum()) -> 2
# holds: counts.loc[counts["bridge"] == "Nord", "change"].sum().item() -> 814.0

# %%
import pandas as pd
import numpy as np

# %%
rng = np.random.default_rng(6)
def month(start):
    days = pd.date_range(start, periods=10)
    return pd.DataFrame({"day": list(days) * 2,
                         "bridge": ["Nord"] * 10 + ["Sued"] * 10,
                         "bikes": rng.integers(800, 3000, 20)})
may, april = month("2025-05-01"), month("2025-04-01")
may.head(3)

# %%
counts = pd.concat([may, april])
counts.shape

# %% [repaired]
counts = pd.concat([may, april], ignore_index=True)
counts.shape

# %%
print(counts.groupby("bridge")["bikes"].agg(["mean", "max"]))

# %%
# change against the previous day, per bridge
counts["change"] = counts.sort_values("day").groupby("bridge")["bikes"].diff()

# %%
counts.sort_values("change").tail(5)
