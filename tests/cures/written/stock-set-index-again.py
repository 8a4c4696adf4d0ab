# group: data
# seen: 2026-11-30h
# fails: KeyError: "None of ['Date'] are in the columns"
# order: 1, 2, 3, 3, 4, 5
# again: 1, 2, 3, 4, 5
# cause: the cell with set_index(inplace=True) was run twice; in the second run Date is already the index and no column.
# holds: prices.index.name -> 'Date'
# holds: prices.shape -> (60, 2)
# holds: weekly.shape[0] -> 12

# %%
import pandas as pd
import numpy as np
import matplotlib.pyplot as plt

# %%
gen = np.random.default_rng(1)
d = pd.bdate_range("2023-01-02", periods=60)
prices = pd.DataFrame({"Date": d, "Close": 100 + gen.normal(0, 1, 60).cumsum(), "Volume": gen.integers(1000, 9000, 60)})
prices.head()

# %%
prices.set_index("Date", inplace=True)
prices.head()

# %%
weekly = prices["Close"].resample("W").last()
weekly.head()

# %%
weekly.plot()
plt.title("weekly close")
plt.show()
print(len(weekly), "weeks")
