# group: data
# seen: 2026-11-30g
# fails: ColumnNotFoundError: unable to find column "under"; valid columns: ["name", "kg", "m", "bmi"]
# cause: a bare string in then()/otherwise() names a column in polars; the labels have to be pl.lit(...).
# holds: out["class"].to_list() -> ['under', 'over', 'normal', 'over', 'under']
# holds: out.columns -> ['name', 'kg', 'm', 'bmi', 'class']

# %% [markdown]
# Trying polars, coming from np.where in pandas

# %%
import polars as pl

# %%
people = pl.DataFrame({
    "name": ["Ada", "Ben", "Cleo", "Dan", "Eve"],
    "kg": [52.0, 95.0, 70.0, 110.0, 48.0],
    "m": [1.70, 1.80, 1.75, 1.72, 1.74],
})
people

# %%
bmi = people.with_columns((pl.col("kg") / pl.col("m") ** 2).round(1).alias("bmi"))
print(bmi)

# %%
out = bmi.with_columns(
    pl.when(pl.col("bmi") < 18.5).then("under")
      .when(pl.col("bmi") < 25).then("normal")
      .otherwise("over")
      .alias("class")
)

# %% [repaired]
out = bmi.with_columns(
    pl.when(pl.col("bmi") < 18.5).then(pl.lit("under"))
      .when(pl.col("bmi") < 25).then(pl.lit("normal"))
      .otherwise(pl.lit("over"))
      .alias("class")
)

# %%
out.group_by("class").len().sort("class")
