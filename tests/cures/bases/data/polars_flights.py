# library: polars
# needs: polars
# compare: delays, worst, n_late

# %%
import polars as pl
from datetime import date

flights = pl.DataFrame({
    "flight": ["LH401", "BA117", "AF022", "LH402", "BA118", "AF023", "LH401", "BA117"],
    "day": [date(2024, 3, d) for d in (1, 1, 1, 2, 2, 2, 3, 3)],
    "dep_delay": [5, 42, None, -3, 18, 71, 0, 12],
    "distance_km": [6200, 5540, 5830, 6200, 5540, 5830, 6200, 5540],
})
flights.write_csv("flights.csv")

# %%
df = pl.read_csv("flights.csv", try_parse_dates=True)
df.head(3)

# %%
df = df.with_columns(
    pl.col("dep_delay").fill_null(0),
    pl.col("flight").str.slice(0, 2).alias("carrier"),
    (pl.col("distance_km") / 1.609).round(0).alias("miles"),
)
df.schema

# %%
delays = (
    df.group_by("carrier")
    .agg(
        pl.col("dep_delay").mean().alias("avg_delay"),
        pl.len().alias("flights"),
    )
    .sort("avg_delay", descending=True)
)
delays

# %%
late = df.filter((pl.col("dep_delay") > 15) & (pl.col("carrier") != "LH"))
n_late = late.height
worst = delays["carrier"][0]
print(n_late, worst)

