# group: data
# seen: 2026-11-29d
# fails: ValueError: Length of values (120) does not match length of index (60)
# cause: the default out=[] of ewma() is one list for all calls, so the second call returns the values of both;
#   make the list inside the function.
# holds: len(stock["fast"]), len(stock["slow"]) -> (60, 60)
# holds: round(float(stock["slow"].iloc[-1]), 4) -> 88.3261
# holds: float(stock["slow"].iloc[0]) == float(stock["close"].iloc[0]) -> True

# %%
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

# %%
np.random.seed(77)
stock = pd.DataFrame({"close": 100 + np.random.normal(0, 1, 60).cumsum()},
                     index=pd.bdate_range("2025-01-02", periods=60))
stock.tail()

# %%
def ewma(values, alpha, out=[]):
    prev = None
    for v in values:
        prev = v if prev is None else alpha * v + (1 - alpha) * prev
        out.append(prev)
    return out

# %% [repaired]
def ewma(values, alpha, out=None):
    if out is None:
        out = []
    prev = None
    for v in values:
        prev = v if prev is None else alpha * v + (1 - alpha) * prev
        out.append(prev)
    return out

# %%
stock["fast"] = ewma(stock["close"], 0.5)
stock["fast"].iloc[:3]

# %%
stock["slow"] = ewma(stock["close"], 0.1)

# %%
stock[["close", "fast", "slow"]].plot()
plt.show()
