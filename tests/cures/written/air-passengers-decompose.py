# group: data
# seen: 2026-11-30h
# fails: ValueError: You must specify a period or x must be a pandas object with a PeriodIndex or a DatetimeIndex with a freq not set to None
# cause: the month is a text column and the series has only row numbers as index, so no period can be derived; the months
#   must be parsed and set as index.
# holds: type(ts.index).__name__ -> 'DatetimeIndex'
# holds: ts.index.inferred_freq -> 'MS'
# holds: int(by_month.idxmax()) -> 7

# %%
import io
import numpy as np
import pandas as pd
from statsmodels.tsa.seasonal import seasonal_decompose
import matplotlib.pyplot as plt

# %%
# same layout as AirPassengers.csv (Month,#Passengers), made up numbers
r = np.random.default_rng(12)
months = pd.period_range("1949-01", periods=72, freq="M").strftime("%Y-%m")
vals = 120 + 2 * np.arange(72) + 30 * np.sin(2 * np.pi * (np.arange(72) - 3) / 12) + r.normal(0, 3, 72)
csv = "Month,#Passengers\n" + "\n".join(f"{m},{v:.0f}" for m, v in zip(months, vals))

# %%
air = pd.read_csv(io.StringIO(csv))
ts = air["#Passengers"]
ts.head()

# %% [repaired]
air = pd.read_csv(io.StringIO(csv), parse_dates=["Month"], index_col="Month")
ts = air["#Passengers"]
ts.head()

# %%
ts.plot(); plt.show()

# %%
result = seasonal_decompose(ts, model="additive")
result.plot()
plt.show()

# %%
by_month = result.seasonal.groupby(result.seasonal.index.month).mean()
print(by_month.round(1))
