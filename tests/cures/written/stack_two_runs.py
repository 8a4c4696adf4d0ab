# group: data
# seen: 2026-11-30g
# fails: TypeError: only integer scalar arrays can be converted to a scalar index
# cause: np.concatenate takes one sequence of arrays; the second array lands in the place of `axis`. The two runs need a tuple around them.
# holds: both.shape -> (160,)
# holds: both[98:102].tolist() == run_a[-2:].tolist() + run_b[:2].tolist() -> True

# %%
import numpy as np
import matplotlib.pyplot as plt

# %%
# two runs of the sensor, 2nd one was stopped early
t = np.arange(100)
run_a = np.round(np.sin(t / 9.0) * 10).astype(int)
run_b = np.round(np.cos(t[:60] / 9.0) * 10).astype(int)
print(run_a.shape, run_b.shape)

# %%
both = np.concatenate(run_a, run_b)
both.shape

# %% [repaired]
both = np.concatenate((run_a, run_b))
both.shape

# %%
smooth = np.convolve(both, np.ones(5) / 5, mode="valid")
print("max", both.max(), "smoothed max", smooth.max())

# %%
plt.plot(both, lw=.7)
plt.plot(smooth, "r")
plt.title("both runs")
plt.show()
