# library: polars
# needs: polars
# compare: errors, slow, per_path, rolling, users

# %%
import polars as pl
from datetime import datetime, timedelta

# %%
start = datetime(2024, 5, 1, 8)
paths = ["/", "/login", "/cart", "/", "/api/items", "/cart", "/login", "/", "/api/items", "/api/items"]
log = pl.DataFrame({
    "time": [start + timedelta(minutes=7 * i) for i in range(10)],
    "path": paths,
    "status": [200, 200, 500, 200, 404, 200, 200, 503, 200, 200],
    "ms": [12, 95, 340, 11, 48, 120, 88, 15, 51, 49],
    "user": ["u1", "u1", "u2", None, "u3", "u2", "u3", None, "u3", "u1"],
})
log.write_csv("log.csv")

# %%
lazy = pl.scan_csv("log.csv", try_parse_dates=True)
lazy.collect_schema().names()

# %%
errors = lazy.filter(pl.col("status") >= 400).group_by("status").agg(pl.len().alias("count")).sort("status").collect()
errors

# %%
per_path = (
    lazy.with_columns(pl.col("path").str.strip_chars("/").alias("page"))
    .group_by("page")
    .agg(pl.col("ms").mean().alias("mean_ms"), pl.col("ms").quantile(0.9).alias("p90"))
    .sort("mean_ms", descending=True)
    .collect()
)
per_path

# %%
slow = per_path.filter(pl.col("mean_ms") > per_path["mean_ms"].median())["page"].to_list()
print("slow pages:", ", ".join(slow))

# %%
users = log.drop_nulls("user").group_by("user").agg(pl.col("path").n_unique().alias("pages"), pl.col("time").max().alias("last")).sort("user")
users.to_dicts()[0]

# %%
hourly = log.sort("time").group_by_dynamic("time", every="1h").agg(pl.col("ms").mean().alias("ms"))
rolling = hourly.with_columns(pl.col("ms").rolling_mean(window_size=2).alias("smooth"))
rolling.tail(2)
