# group: data
# seen: 2026-11-29e
# fails: ValueError: `x` must be strictly increasing sequence.
# cause: the measurements aren't in order of time; CubicSpline needs x increasing, so sort t and v together.
# holds: t.tolist() -> [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0]
# holds: round(float(cs(2.0)), 2) -> 1.3
# holds: v.tolist() -> [0.1, 0.4, 0.8, 1.2, 1.3, 0.9, 0.4, 0.2]

# %%
import numpy as np
from scipy.interpolate import CubicSpline
import matplotlib.pyplot as plt

# %%
# two loggers, appended one behind the other
t1, v1 = [0.0, 1.0, 2.0, 4.0], [0.1, 0.8, 1.3, 0.4]
t2, v2 = [0.5, 1.5, 3.0, 5.0], [0.4, 1.2, 0.9, 0.2]
t = np.array(t1 + t2)
v = np.array(v1 + v2)
t.shape

# %% [repaired]
# two loggers, appended one behind the other
t1, v1 = [0.0, 1.0, 2.0, 4.0], [0.1, 0.8, 1.3, 0.4]
t2, v2 = [0.5, 1.5, 3.0, 5.0], [0.4, 1.2, 0.9, 0.2]
t = np.array(t1 + t2)
v = np.array(v1 + v2)
order = np.argsort(t)
t, v = t[order], v[order]
t.shape

# %%
plt.scatter(t, v); plt.show()

# %%
cs = CubicSpline(t, v)
grid = np.linspace(0, 5, 101)

# %%
plt.plot(grid, cs(grid)); plt.scatter(t, v); plt.show()
print("max at", grid[cs(grid).argmax()])
