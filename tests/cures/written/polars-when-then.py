# group: data
# seen: 2026-11-30h
# fails: ColumnNotFoundError: unable to find column "adult"; valid columns: ["name", "age", "fare"]
# cause: then("adult") means a column of this name in polars; a text value needs pl.lit.
# holds: people["grp"].to_list() -> ['adult', 'child', 'child', 'adult', 'child', 'adult']
# holds: people.columns -> ['name', 'age', 'fare', 'grp']
# holds: counts.rows() -> [('adult', 3, 33.0), ('child', 3, 12.0)]

# %%
import polars as pl

# %%
people = pl.DataFrame({
    "name": ["Ida", "Jon", "Kim", "Lou", "Max", "Noa"],
    "age": [34, 12, 17, 70, 5, 18],
    "fare": [12.5, 6.0, 6.0, 8.0, 0.0, 12.5],
})
print(people)

# %%
# coming from pandas: np.where(age >= 18, "adult", "child")
people = people.with_columns(
    pl.when(pl.col("age") >= 18).then("adult").otherwise("child").alias("grp")
)
people.head()

# %% [repaired]
people = people.with_columns(
    pl.when(pl.col("age") >= 18).then(pl.lit("adult")).otherwise(pl.lit("child")).alias("grp")
)
people.head()

# %%
counts = people.group_by("grp").agg(pl.len().alias("n"), pl.col("fare").sum()).sort("grp")
counts

# %%
for r in counts.iter_rows(named=True):
    print(f"{r['grp']:<6} {r['n']} persons, {r['fare']:.2f} EUR")
