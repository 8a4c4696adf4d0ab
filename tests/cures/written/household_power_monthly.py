# group: data
# seen: 2026-11-30f
# fails: ValueError: Invalid frequency: M. Failed to parse with error message: ValueError("'M' is no longer supported for offsets. Please use 'ME' instead.")
# cause: the frequency alias "M" is gone in pandas 3; month end is "ME".
# holds: len(monthly) -> 12
# holds: bool(abs(monthly.sum() - power["kwh"].sum()) < 1e-6) -> True
# holds: round(float(monthly.iloc[0]), 1) -> 365.4

# %%
import pandas as pd
import numpy as np
import matplotlib.pyplot as plt
plt.style.use("ggplot")

# %%
np.random.seed(1)
idx = pd.date_range("2025-01-01", "2025-12-31", freq="D")
power = pd.DataFrame({"kwh": 9 + 3 * np.cos(2 * np.pi * idx.dayofyear / 365) + np.random.randn(len(idx)) * .8}, index=idx)
power.head()

# %%
power["kwh"].rolling(7).mean().plot(figsize=(9, 3), title="7-day mean")
plt.show()

# %%
monthly = power["kwh"].resample("M").sum()
monthly.round(1)

# %% [repaired]
monthly = power["kwh"].resample("ME").sum()
monthly.round(1)

# %%
plt.bar(range(1, 13), monthly.values)
plt.xlabel("month")
plt.show()
