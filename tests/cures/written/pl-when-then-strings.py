# group: data
# seen: 2026-11-28
# fails: ColumnNotFoundError: unable to find column "cheap"; valid columns: ["dish", "price", "veg"]
# cause: pl.when().then("cheap") reads the string as a column name; the expression is built in cell 3 and fails
#   where it is used.
# holds: out["band"].value_counts().sort("band").rows() -> [('cheap', 8), ('dear', 15), ('normal', 17)]
# holds: out.shape -> (40, 4)

# %%
import polars as pl
import random
random.seed(10)

# %%
menu = pl.DataFrame({
    "dish": [f"dish {i}" for i in range(40)],
    "price": [round(random.uniform(4, 30), 2) for _ in range(40)],
    "veg": [random.random() < .4 for _ in range(40)],
})

# %%
band = (
    pl.when(pl.col("price") < 10).then("cheap")
    .when(pl.col("price") < 20).then("normal")
    .otherwise("dear")
    .alias("band")
)

# %% [repaired]
band = (
    pl.when(pl.col("price") < 10).then(pl.lit("cheap"))
    .when(pl.col("price") < 20).then(pl.lit("normal"))
    .otherwise(pl.lit("dear"))
    .alias("band")
)

# %%
menu = menu.with_columns(pl.col("dish").str.replace("dish ", "D").str.to_uppercase())
menu.head(3)

# %%
out = menu.with_columns(band)
out.group_by("band").agg(pl.col("price").mean().round(2), pl.col("veg").mean())

# %%
print(out.filter(pl.col("band") == "cheap").sort("price").head())
