# library: polars
# needs: numpy, polars
# compare: by_station, rush, longest_gap, members, dup_count

# %%
import datetime as dt
import numpy as np
import polars as pl

# %%
rng = np.random.default_rng(29)
n = 240
rides = pl.DataFrame({
    "ride_id": [f"R{i:04d}" for i in range(n)],
    "started": [dt.datetime(2024, 6, 1) + dt.timedelta(minutes=int(m)) for m in np.sort(rng.integers(0, 14 * 1440, n))],
    "minutes": rng.gamma(2.0, 7.0, n).round(1),
    "station": rng.choice(["Main St", "Park", "Depot", "Harbor"], n),
    "member": rng.choice(["member", "casual", None], n, p=[.6, .35, .05]),
})
pl.concat([rides, rides.head(3)]).write_csv("rides.csv")

# %%
df = pl.read_csv("rides.csv", try_parse_dates=True)
df.shape

# %%
df.head()

# %%
dup_count = df.is_duplicated().sum()
df = df.unique(subset=["ride_id"], keep="first", maintain_order=True)
df.height, dup_count

# %%
df.null_count()

# %%
df = df.with_columns(
    pl.col("member").fill_null("casual"),
    pl.col("started").dt.hour().alias("hour"),
    pl.col("started").dt.weekday().alias("weekday"),
    pl.when(pl.col("minutes") > 30).then(pl.lit("long")).otherwise(pl.lit("short")).alias("kind"),
)
df.columns

# %%
by_station = (
    df.group_by("station")
    .agg(
        rides=pl.len(),
        mean_min=pl.col("minutes").mean().round(2),
        long_share=(pl.col("kind") == "long").mean().round(3),
    )
    .sort("rides", "station", descending=True)
)
by_station

# %%
rush = df.filter(pl.col("hour").is_between(7, 9) | pl.col("hour").is_in([16, 17, 18])).select(pl.col("minutes").median()).item()
rush

# %%
gaps = df.sort("started").with_columns(gap=pl.col("started").diff().dt.total_minutes())
longest_gap = gaps["gap"].max()
print("nobody rode for", longest_gap, "minutes")

# %%
members = df.pivot("member", index="weekday", values="minutes", aggregate_function="mean").sort("weekday")
members.select(pl.exclude("weekday").round(1))

