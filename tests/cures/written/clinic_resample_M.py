# group: data
# seen: 2026-11-29e
# fails: ValueError: Invalid frequency: M. Failed to parse with error message: ValueError("'M' is no longer supported for offsets. Please use 'ME' instead.")
# cause: the frequency alias "M" is gone from pandas 3, month end is "ME".
# holds: len(monthly) -> 6
# holds: str(monthly.index[0].date()) -> '2023-01-31'
# holds: int(monthly.sum()) == int(visits.sum()) -> True

# %%
import numpy as np
import pandas as pd

# %%
idx = pd.date_range("2023-01-01", "2023-06-30", freq="D")
visits = pd.Series(np.random.default_rng(9).poisson(14, len(idx)), index=idx, name="visits")
visits.head()

# %%
visits.rolling(7).mean().plot(title="7 day mean");

# %%
# totals, labelled with the last day of the month
monthly = visits.resample("M").sum()
monthly

# %% [repaired]
# totals, labelled with the last day of the month
monthly = visits.resample("ME").sum()
monthly

# %%
growth = monthly.pct_change().dropna().round(3)
print(growth)
