# group: data
# seen: 2026-11-29d
# fails: TypeError: can only concatenate str (not "int") to str
# cause: the month column of sales was turned into names (strftime) for a table, so month + 1 in the forecast cell meets text;
#   the names need a column of their own.
# holds: sales["month"].tolist() -> [1, 2, 3, 4, 5, 6]
# holds: forecast["month"].tolist() -> [7, 8]
# holds: forecast["units"].tolist() -> [171, 181]

# %%
import pandas as pd
import numpy as np
from scipy import stats

# %%
sales = pd.DataFrame({"date": pd.date_range("2025-01-31", periods=6, freq="ME"),
                      "units": [110, 118, 131, 139, 152, 160]})
sales["month"] = sales["date"].dt.month
sales

# %%
# nicer to read
sales["month"] = sales["date"].dt.strftime("%b")
print(sales[["month", "units"]].to_string(index=False))

# %% [repaired]
# nicer to read
sales["month_name"] = sales["date"].dt.strftime("%b")
print(sales[["month_name", "units"]].to_string(index=False))

# %%
trend = stats.linregress(np.arange(len(sales)), sales["units"])
trend.slope, trend.rvalue

# %%
last = sales["month"].iloc[-1]
forecast = pd.DataFrame({"month": [last + 1, last + 2]})
forecast["units"] = [round(float(trend.intercept + trend.slope * (len(sales) + i))) for i in range(2)]
forecast
