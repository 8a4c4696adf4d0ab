# library: polars
# needs: numpy, polars
# compare: result, joined, top

# %%
import numpy as np
import polars as pl

rng = np.random.default_rng(10)
n = 120
games = pl.DataFrame({
    "player": rng.choice(["kim", "lee", "park", "choi"], n),
    "map": rng.choice(["dust", "mirage", "inferno"], n),
    "kills": rng.integers(0, 30, n),
    "deaths": rng.integers(1, 20, n),
    "won": rng.random(n) < 0.5,
})
games.write_parquet("games.parquet")

# %%
games.describe()

# %%
lazy = pl.scan_parquet("games.parquet")
result = (
    lazy
    .filter(pl.col("deaths") > 3)
    .with_columns((pl.col("kills") / pl.col("deaths")).alias("kd"))
    .group_by("player", "map")
    .agg(pl.col("kd").mean().round(3), pl.col("won").sum().alias("wins"), pl.len().alias("n"))
    .sort("player", "map")
    .collect()
)
result.head()

# %%
teams = pl.DataFrame({"player": ["kim", "lee", "park", "choi"], "team": ["red", "red", "blue", "blue"]})
joined = (
    result.join(teams, on="player", how="left")
          .group_by("team", maintain_order=True)
          .agg(pl.sum("wins"), pl.max("kd"))
          .sort("team")
)
joined

# %%
pivot = result.pivot(on="map", index="player", values="kd")
ranked = result.with_columns(pl.col("kd").rank("dense", descending=True).over("map").alias("rank"))
top = ranked.filter(pl.col("rank") == 1).sort("map").select("map", "player").to_dicts()
top

