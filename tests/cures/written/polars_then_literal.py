# group: data
# seen: 2026-11-29e
# fails: ColumnNotFoundError: unable to find column "late"; valid columns: ["flight", "delay"]
# cause: strings in then/otherwise are taken as names of columns in polars; literals need pl.lit.
# holds: flights["status"].value_counts().sort("status").rows() -> [('late', 3), ('ok', 3)]
# holds: flights.columns -> ['flight', 'delay', 'status']

# %%
import polars as pl

# %%
flights = pl.DataFrame({
    "flight": ["LH12", "AF7", "KL33", "BA9", "SK41", "IB5"],
    "delay": [3, 48, 0, 17, 95, 12],
})
flights

# %%
flights.select(pl.col("delay").mean())

# %%
flights = flights.with_columns(
    pl.when(pl.col("delay") > 15).then("late").otherwise("ok").alias("status")
)
flights

# %% [repaired]
flights = flights.with_columns(
    pl.when(pl.col("delay") > 15).then(pl.lit("late")).otherwise(pl.lit("ok")).alias("status")
)
flights

# %%
flights.group_by("status").agg(pl.len(), pl.col("delay").max()).sort("status")

# %%
print(flights.filter(pl.col("status") == "late")["flight"].to_list())
