# group: data
# seen: 2026-11-30g
# fails: ValueError: You must specify a period or x must be a pandas object with a PeriodIndex or a DatetimeIndex with a freq not set to None
# cause: the index is a plain 0..n range since the month column is never parsed and set as index, so seasonal_decompose does not
#   know the period; give the series a monthly DatetimeIndex.
# holds: len(dec.seasonal) -> 60
# holds: int(dec.seasonal.to_numpy()[:12].argmax()) -> 6
# holds: len(dec.trend.dropna()) -> 48

# %%
import numpy as np
import pandas as pd
from statsmodels.tsa.seasonal import seasonal_decompose
import matplotlib.pyplot as plt

# %%
months = pd.date_range("2015-01-01", periods=60, freq="MS")
air = pd.DataFrame({
    "month": months.strftime("%Y-%m"),
    "passengers": (100 + 2 * np.arange(60) + 20 * np.sin(2 * np.pi * (months.month - 4) / 12)).round(),
})
air.to_csv("air.csv", index=False)

# %%
air = pd.read_csv("air.csv")
ts = air["passengers"]
ts.plot(title="monthly passengers")
plt.show()

# %% [repaired]
air = pd.read_csv("air.csv", parse_dates=["month"])
ts = air.set_index("month")["passengers"].asfreq("MS")
ts.plot(title="monthly passengers")
plt.show()

# %%
dec = seasonal_decompose(ts, model="additive")

# %%
dec.plot()
plt.show()
print(dec.seasonal.head(12))
