# group: data
# seen: 2026-11-29b
# fails: TypeError: DataFrame object does not support `Series` assignment by index
# cause: a polars frame takes no column by item assignment (pandas habit); with_columns is needed.
# holds: people.columns -> ['name', 'kg', 'cm', 'bmi']
# holds: people["bmi"].round(1).to_list() -> [20.0, 25.0, 30.0, 22.5]
# holds: heavy["name"].to_list() -> ['Bo', 'Cleo']

# %%
import polars as pl

# %%
people = pl.DataFrame({
    "name": ["Ann", "Bo", "Cleo", "Dirk"],
    "kg": [51.2, 81.0, 76.8, 90.0],
    "cm": [160, 180, 160, 200],
})
people

# %%
people["bmi"] = people["kg"] / (people["cm"] / 100) ** 2
people.head()

# %% [repaired]
people = people.with_columns(
    (pl.col("kg") / (pl.col("cm") / 100) ** 2).alias("bmi")
)
people.head()

# %%
heavy = people.filter(pl.col("bmi") > 24).sort("bmi")
heavy

# %%
print(people.select(pl.col("bmi").mean()).item())
