# group: data
# seen: 2026-11-29
# fails: SchemaError: invalid series dtype: expected `String`, got `date` for series with name `day`
# order: 1, 2, 3, 4, 3
# again: 1, 2, 3, 4, 3, 5
# cause: The cell that parses the dates overwrites df; run again, "day" is a Date already and .str fails.
# holds: str(weekly.schema["day"]) -> 'Date'
# holds: weekly.shape -> (9, 2)
# holds: int(weekly["steps"].sum()) -> 510060

# %%
import polars as pl
import numpy as np
from datetime import date, timedelta

# %%
rng = np.random.default_rng(0)
d0 = date(2024, 1, 1)
raw = pl.DataFrame({
    "day": [(d0 + timedelta(days=i)).strftime("%d.%m.%Y") for i in range(60)],
    "steps": rng.integers(2000, 15000, 60),
})
df = raw
df.head()

# %%
df = df.with_columns(pl.col("day").str.to_date("%d.%m.%Y"))
df = df.with_columns(pl.col("steps").rolling_mean(7).alias("mean7"))
df.tail(3)

# %% [repaired]
df = raw.with_columns(pl.col("day").str.to_date("%d.%m.%Y"))
df = df.with_columns(pl.col("steps").rolling_mean(7).alias("mean7"))
df.tail(3)

# %%
weekly = df.sort("day").group_by_dynamic("day", every="1w").agg(pl.col("steps").sum())
weekly

# %%
print(weekly.sort("steps", descending=True).head(1))
