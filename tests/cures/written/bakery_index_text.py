# group: data
# seen: 2026-11-29c
# fails: TypeError: Only valid with DatetimeIndex, TimedeltaIndex or PeriodIndex, but got an instance of 'Index'
# cause: for prettier tick labels the plot cell writes formatted text into the index of sales itself, so it is no DatetimeIndex any more.
# holds: type(sales.index).__name__ -> 'DatetimeIndex'
# holds: int(weekly.sum()) == int(sales["rolls"].sum()) -> True
# holds: len(weekly) -> 6

# %%
import pandas as pd
import numpy as np
import matplotlib.pyplot as plt
%matplotlib inline

# %%
np.random.seed(1)
idx = pd.date_range("2025-01-06", periods=42, freq="D")
sales = pd.DataFrame({"rolls": np.random.poisson(180, 42), "loaves": np.random.poisson(60, 42)}, index=idx)
sales.tail()

# %%
# nicer labels
sales.index = sales.index.strftime("%d.%m.")
sales["rolls"].head(14).plot(kind="bar", figsize=(9, 3), rot=45)
plt.show()

# %% [repaired]
# nicer labels
two_weeks = sales["rolls"].head(14)
two_weeks.index = two_weeks.index.strftime("%d.%m.")
two_weeks.plot(kind="bar", figsize=(9, 3), rot=45)
plt.show()

# %%
ratio = sales["rolls"] / sales["loaves"]
print("rolls per loaf:", ratio.mean().round(2))

# %%
weekly = sales["rolls"].resample("W").sum()
weekly
