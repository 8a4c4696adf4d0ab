# library: polars
# needs: numpy, polars
# compare: grades, passed, best, corr, table

# %%
import numpy as np
import polars as pl

# %%
rng = np.random.default_rng(4)
names = ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana"]
df = pl.DataFrame({
    "Name": names,
    "Class": ["A", "A", "B", "B", "A", "B", "A", "B"],
    "Math": rng.integers(40, 100, 8),
    "Physics": rng.integers(35, 100, 8),
    "Absent": ["2", "0", "5", "1", "", "3", "0", "4"],
})
df

# %%
df = df.with_columns(pl.col("Absent").replace("", None).cast(pl.Int64).fill_null(0))
df = df.rename({"Name": "name", "Class": "group", "Math": "math", "Physics": "physics", "Absent": "absent"})
df.schema

# %%
df = df.with_columns(
    ((pl.col("math") + pl.col("physics")) / 2).alias("mean"),
    pl.when(pl.col("absent") > 3).then(pl.lit("often")).otherwise(pl.lit("seldom")).alias("misses"),
)
df.head(3)

# %%
grades = df.group_by("group", maintain_order=True).agg(
    pl.col("mean").mean().round(1).alias("average"),
    pl.col("math").max().alias("top_math"),
    pl.col("name").first(),
)
print(grades)

# %%
passed = df.filter((pl.col("mean") >= 60) & (pl.col("absent") < 5)).select(["name", "mean"])
print(len(passed), "passed of", df.height)

# %%
best = df.sort("mean", descending=True)["name"][0]
corr = float(np.corrcoef(df["math"].to_numpy(), df["physics"].to_numpy())[0, 1])
print(f"{best} leads, correlation {corr:.2f}")

# %%
X = df.select(["math", "physics"]).to_numpy()
centred = X - X.mean(axis=0)
weights = np.array([0.6, 0.4])
table = df.select("name").with_columns(pl.Series("score", centred @ weights))
table.sort("score").tail(2)
