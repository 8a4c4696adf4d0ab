# group: data
# seen: 2026-11-28
# fails: KeyError: 'date'
# order: 1, 2, 3, 4, 3
# again: 1, 2, 3, 4, 3, 5
# cause: The preparation cell overwrites prices with its set_index result; run again, there is no "date" column any
#   more.
# holds: round(float(ret.std()),5) -> 0.01111
# holds: len(ret) -> 249
# holds: len(monthly) -> 12

# %%
import numpy as np
import pandas as pd
rng = np.random.default_rng(11)

# %%
n = 250
raw = pd.DataFrame({
    "date": pd.bdate_range("2023-01-02", periods=n).strftime("%Y-%m-%d"),
    "close": 100 * np.exp(np.cumsum(rng.normal(0.0003, 0.012, n))),
    "volume": rng.integers(1e5, 5e5, n),
}).sample(frac=1, random_state=1)
prices = raw
prices.head()

# %%
# --- prepare
prices["date"] = pd.to_datetime(prices["date"])
prices = prices.set_index("date").sort_index()
prices["ma20"] = prices["close"].rolling(20).mean()
prices.tail()

# %% [repaired]
# --- prepare
prices = raw.copy()
prices["date"] = pd.to_datetime(prices["date"])
prices = prices.set_index("date").sort_index()
prices["ma20"] = prices["close"].rolling(20).mean()
prices.tail()

# %%
ret = prices["close"].pct_change().dropna()
ret.describe()

# %%
monthly = prices["close"].resample("ME").last().pct_change()
monthly.plot.bar(figsize=(8, 3));
