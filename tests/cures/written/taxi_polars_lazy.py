# group: data
# seen: 2026-11-29d
# fails: TypeError: LazyFrame is not subscriptable (aside from slicing)
# cause: clean_trips() returns a lazy query that was never collected; a .collect() is missing at its end.
# holds: type(good).__name__ -> 'DataFrame'
# holds: good.height -> 269
# holds: round(float(mean_speed), 2) -> 20.33

# %%
import polars as pl
import numpy as np

# %%
r = np.random.default_rng(31)
trips = pl.DataFrame({
    "km": r.gamma(2, 3, 300).round(2),
    "minutes": r.integers(0, 50, 300),
    "zone": r.choice(["north", "south", "airport"], 300),
})
trips.head(3)

# %%
def clean_trips(df: pl.DataFrame):
    return (
        df.lazy()
        .filter(pl.col("minutes") > 2)
        .filter(pl.col("km") > 0.5)
        .with_columns((pl.col("km") / pl.col("minutes") * 60).alias("kmh"))
        .filter(pl.col("kmh") < 110)
    )

# %% [repaired]
def clean_trips(df: pl.DataFrame):
    return (
        df.lazy()
        .filter(pl.col("minutes") > 2)
        .filter(pl.col("km") > 0.5)
        .with_columns((pl.col("km") / pl.col("minutes") * 60).alias("kmh"))
        .filter(pl.col("kmh") < 110)
        .collect()
    )

# %%
good = clean_trips(trips)

# %%
mean_speed = good["kmh"].mean()
print(f"{mean_speed:.1f} km/h on average")

# %%
good.group_by("zone").agg(pl.col("kmh").median()).sort("zone")
