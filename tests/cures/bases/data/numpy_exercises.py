# library: numpy
# needs: numpy
# compare: Z, checker, nearest, moving, most_frequent

# %%
import numpy as np
print(np.__version__ > "1")

# %%
# 1. null vector of size 10 but the fifth value is 1
Z = np.zeros(10)
Z[4] = 1
Z

# %%
# 2. reverse, reshape, non zero
v = np.arange(10, 50)[::-1]
m = np.arange(9).reshape(3, 3)
nz = np.nonzero([1, 2, 0, 0, 4, 0])
nz

# %%
# 3. checkerboard with tile
checker = np.tile(np.array([[0, 1], [1, 0]]), (4, 4))
checker.shape

# %%
# 4. 5x3 by 3x2
a = np.ones((5, 3))
b = np.full((3, 2), 0.5)
c = np.dot(a, b)
c.shape, c.sum()

# %%
# 5. closest value
rng = np.random.default_rng(1)
Z2 = rng.uniform(0, 1, 20)
z = 0.5
nearest = Z2.flat[np.abs(Z2 - z).argmin()]
round(nearest, 4)

# %%
# 6. moving average
def moving_average(a, n=3):
    ret = np.cumsum(a, dtype=float)
    ret[n:] = ret[n:] - ret[:-n]
    return ret[n - 1:] / n

moving = moving_average(np.arange(20), n=4)
moving

# %%
# 7. most frequent value, swap rows, unique rows
Z3 = rng.integers(0, 10, 50)
most_frequent = np.bincount(Z3).argmax()
A = np.arange(25).reshape(5, 5)
A[[0, 1]] = A[[1, 0]]
rows = np.unique(np.vstack([A, A[:2]]), axis=0)
print(most_frequent, rows.shape)

