# group: data
# seen: 2026-11-29b
# fails: InvalidOperationError: cannot compare 'date/datetime/time' to a string value (create native python { 'date', 'datetime', 'time' } or compare to a temporal column)
# cause: the dates come from the CSV as text (German form), they were never parsed, so they cannot be compared with a date.
# holds: spring.height -> 3
# holds: spring["kwh"].sum() -> 640
# holds: str(spring["day"].min()) -> '2024-03-04'

# %%
import io
from datetime import date
import polars as pl

raw = """day;kwh
28.01.2024;310
25.02.2024;280
04.03.2024;240
01.04.2024;210
06.05.2024;190
30.12.2023;325
"""

# %%
meter = pl.read_csv(io.StringIO(raw), separator=";")
print(meter)

# %% [repaired]
meter = pl.read_csv(io.StringIO(raw), separator=";").with_columns(
    pl.col("day").str.to_date("%d.%m.%Y")
)
print(meter)

# %%
print("rows:", meter.height, "total", meter["kwh"].sum())

# %%
spring = meter.filter(pl.col("day") >= date(2024, 3, 1))
spring

# %%
print("since March:", spring["kwh"].sum(), "kWh, mean", round(spring["kwh"].mean(), 1))
