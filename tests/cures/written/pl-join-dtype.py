# group: data
# seen: 2026-11-29
# fails: SchemaError: datatypes of join keys don't match - `emp_id`: i64 on left does not match `emp_id`: str on right (and no other type was available to cast to)
# cause: The badge log's emp_id is read as integers, while the staff table keeps emp_id as zero-padded strings
#   ("0042"); the join keys' types disagree.
# holds: joined.shape[0] -> 5
# holds: joined["dept"].null_count() -> 0
# holds: joined.group_by("dept").len().sort("dept").rows() -> [('IT', 2), ('Ops', 1), ('R&D', 2)]

# %%
import io
import polars as pl

# %%
log_csv = """emp_id,door,ts
42,main,2024-03-01 08:01
7,main,2024-03-01 08:05
42,lab,2024-03-01 09:30
113,garage,2024-03-01 07:50
7,lab,2024-03-01 10:10
"""
log = pl.read_csv(io.StringIO(log_csv), try_parse_dates=True)
log

# %%
staff = pl.DataFrame({"emp_id": ["0007", "0042", "0113"], "dept": ["IT", "R&D", "Ops"], "since": [2015, 2019, 2021]})

# %% [repaired]
staff = pl.DataFrame({"emp_id": ["0007", "0042", "0113"], "dept": ["IT", "R&D", "Ops"], "since": [2015, 2019, 2021]}).with_columns(pl.col("emp_id").cast(pl.Int64))

# %%
log = log.with_columns(pl.col("ts").dt.hour().alias("hour"))
log.group_by("door").len().sort("len")

# %%
joined = log.join(staff, on="emp_id", how="left")
joined

# %%
joined.pivot(on="door", index="dept", values="hour", aggregate_function="len")
