# library: scipy
# needs: numpy, scipy
# compare: n_cells, sizes, ranks, interpolated

# %%
import numpy as np
from scipy import ndimage, sparse, interpolate
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import eigs

# %%
rng = np.random.default_rng(14)
field = np.zeros((60, 60))
for cy, cx in [(10, 12), (30, 40), (45, 15), (48, 48)]:
    field[cy, cx] = 50
blurred = ndimage.gaussian_filter(field, sigma=3) + rng.normal(0, 0.005, field.shape)
blurred.max().round(3)

# %%
cells = blurred > 0.2
cells = ndimage.binary_opening(cells, iterations=1)
labels, n_cells = ndimage.label(cells)
sizes = ndimage.sum(cells, labels, index=range(1, n_cells + 1))
centers = ndimage.center_of_mass(cells, labels, range(1, n_cells + 1))
print(n_cells, sizes, np.round(centers[0], 1))

# %%
# page rank
links = [(0, 1), (0, 2), (1, 2), (2, 0), (3, 2), (4, 3)]
row, col = zip(*links)
G = sparse.coo_matrix((np.ones(len(links)), (col, row)), shape=(5, 5)).tocsc()
out = np.asarray(G.sum(axis=0)).ravel()
out[out == 0] = 1
M = 0.85 * (G / out).toarray() + 0.15 / 5
ranks = np.ones(5) / 5
for _ in range(50):
    ranks = M @ ranks
ranks.round(4)

# %%
n_comp, comp = connected_components(G, directed=False)
print(n_comp, comp)

# %%
x = np.arange(0, 10)
f = interpolate.interp1d(x, np.exp(-x / 3.0), kind="quadratic")
interpolated = f([2.5, 7.25]).round(5)
interpolated

