# library: numpy
# needs: numpy
# compare: normalized, nearest, table, outer_sum

# %%
import numpy as np
from numpy import newaxis

np.random.seed(0)
a = np.arange(12).reshape(3, 4)
a

# %%
# subtract the row means
row_means = a.mean(axis=1, keepdims=True)
normalized = (a - row_means) / a.std(axis=1, keepdims=True)
normalized

# %%
cities = np.array([[52.5, 13.4], [48.9, 2.4], [41.9, 12.5], [40.4, -3.7]])
diff = cities[:, newaxis, :] - cities[newaxis, :, :]
dist = np.sqrt((diff ** 2).sum(axis=-1))
np.fill_diagonal(dist, np.inf)
nearest = dist.argmin(axis=1)
nearest

# %%
x = np.array([1, 2, 3])
outer_sum = x[:, None] + np.array([10, 20])
outer_sum.shape

# %%
onehot = np.eye(4, dtype=int)[nearest]
table = onehot.sum(axis=0)
print(table)

# %%
v = np.linspace(0, 1, 5)
w = np.where(v > 0.5, v, 0).cumsum()
stacked = np.column_stack((v, w))
stacked[-1]
