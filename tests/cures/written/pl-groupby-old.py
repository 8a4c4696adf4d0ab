# group: data
# seen: 2026-11-29
# fails: AttributeError: 'DataFrame' object has no attribute 'groupby'
# cause: DataFrame.groupby was renamed group_by in polars; the report function in cell 3 uses the old name.
# holds: top.shape -> (3, 3)
# holds: top["city"][0] -> 'Rome'
# holds: round(float(top["spend"].sum()),1) -> 3414.0

# %%
import polars as pl
import numpy as np

# %%
rng = np.random.default_rng(4)
n = 500
trips = pl.DataFrame({
    "city": rng.choice(["Rome", "Oslo", "Kyiv", "Lima", "Quito"], n).tolist(),
    "km": rng.exponential(8, n).round(1),
    "fare": rng.exponential(15, n).round(2),
    "card": (rng.random(n) < .7).tolist(),
})
trips.head()

# %%
def top_by(frame, key, k=3):
    return (
        frame.groupby(key)
        .agg(pl.col("fare").sum().alias("spend"), pl.len().alias("trips"))
        .sort("spend", descending=True)
        .head(k)
    )

# %% [repaired]
def top_by(frame, key, k=3):
    return (
        frame.group_by(key)
        .agg(pl.col("fare").sum().alias("spend"), pl.len().alias("trips"))
        .sort("spend", descending=True)
        .head(k)
    )

# %%
trips = trips.with_columns((pl.col("fare") / pl.col("km").clip(0.5)).alias("per_km"))
trips.describe()

# %%
top = top_by(trips.filter(pl.col("card")), "city")
top

# %%
print("best city:", top["city"][0])
