# group: data
# seen: 2026-11-29c
# fails: InvalidOperationError: arithmetic on dtypes str and dyn float is not allowed (lhs: column 'kwh', rhs: expression `dyn float: 0.31`); try an explicit cast first
# cause: the file writes missing readings as "n/a" and read_csv is not told so, which makes the whole column text.
# holds: readings["kwh"].null_count() -> 2
# holds: str(readings.schema["kwh"]) -> 'Int64'
# holds: round(totals["cost"].sum(), 2) -> 1278.44

# %%
import polars as pl
from io import StringIO

# %%
raw = "meter,month,kwh\n" + "\n".join(
    f"M{m},{mon},{'n/a' if (m, mon) in [(2, 3), (4, 1)] else 180 + 7 * m + 11 * mon}"
    for m in range(1, 6) for mon in range(1, 5)
)
print(raw[:60])

# %%
readings = pl.read_csv(StringIO(raw))
readings.head()

# %% [repaired]
readings = pl.read_csv(StringIO(raw), null_values="n/a")
readings.head()

# %%
print("meters:", readings["meter"].n_unique(), "rows:", readings.height)

# %%
PRICE = 0.31
billed = readings.with_columns((pl.col("kwh") * PRICE).alias("cost"))

# %%
totals = billed.group_by("meter").agg(pl.col("cost").sum()).sort("meter")
totals
