# group: data
# seen: 2026-11-30f
# fails: TypeError: DataFrame object does not support `Series` assignment by index
# cause: a polars DataFrame takes no item assignment with a column name as pandas does; with_columns is needed.
# holds: df.columns -> ['car', 'km', 'litres', 'per_100km']
# holds: round(df["per_100km"].max(), 2) -> 9.5
# holds: df.height -> 6

# %% [markdown]
# moving my fuel diary from pandas to polars

# %%
import polars as pl

# %%
df = pl.DataFrame({
    "car": ["Polo", "Polo", "Transit", "Polo", "Transit", "Transit"],
    "km": [512, 430, 610, 488, 575, 640],
    "litres": [29.1, 26.4, 55.0, 27.9, 50.2, 60.8],
})
df.head(3)

# %%
df["per_100km"] = df["litres"] / df["km"] * 100

# %% [repaired]
df = df.with_columns((pl.col("litres") / pl.col("km") * 100).alias("per_100km"))

# %%
df.group_by("car").agg(pl.col("per_100km").mean().round(2)).sort("car")

# %%
print(df.filter(pl.col("per_100km") > 8))
