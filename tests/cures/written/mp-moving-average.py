# group: data
# seen: 2026-11-29
# fails: ValueError: x and y must have same first dimension, but have shapes (120,) and (114,)
# cause: smooth() uses np.convolve(..., mode="valid"), whose result is window-1 values shorter than the dates it is
#   drawn against.
# holds: len(ax.lines) -> 2
# holds: len(ax.lines[0].get_xdata()) -> 120
# holds: len(ax.lines[1].get_xdata()) in (114, 120) -> True
# holds: str(pd.Timestamp(ax.lines[1].get_xdata()[-1]).date()) -> '2024-04-29'

# %%
import numpy as np
import matplotlib.pyplot as plt
import matplotlib.dates as mdates
import pandas as pd

# %%
days = pd.date_range("2024-01-01", periods=120)
rng = np.random.default_rng(9)
visits = (200 + 40 * (days.dayofweek < 5) + np.arange(120) * .8 + rng.normal(0, 18, 120)).round()

# %%
def smooth(y, window):
    kernel = np.ones(window) / window
    return np.convolve(y, kernel, mode="valid")

# %%
WINDOW = 7
trend = smooth(visits, WINDOW)
print(f"first {trend[0]:.0f}, last {trend[-1]:.0f}")

# %%
fig, ax = plt.subplots(figsize=(9, 3))
ax.plot(days, visits, lw=.7, color="grey", label="visits")
ax.plot(days, trend, color="crimson", label=f"{WINDOW}-day mean")
ax.xaxis.set_major_formatter(mdates.DateFormatter("%b"))
ax.legend();

# %% [repaired]
fig, ax = plt.subplots(figsize=(9, 3))
ax.plot(days, visits, lw=.7, color="grey", label="visits")
ax.plot(days[WINDOW - 1:], trend, color="crimson", label=f"{WINDOW}-day mean")
ax.xaxis.set_major_formatter(mdates.DateFormatter("%b"))
ax.legend();

# %%
print("growth:", round(trend[-1] / trend[0] - 1, 3))
