# library: matplotlib
# needs: matplotlib, numpy
# compare: hottest_cell, counts, cbar_label

# %%
import numpy as np
import matplotlib.pyplot as plt
from matplotlib.colors import LogNorm, ListedColormap
from matplotlib.patches import Rectangle

rng = np.random.default_rng(18)
lat = np.concatenate([rng.normal(48.2, 0.02, 300), rng.normal(48.25, 0.01, 120)])
lon = np.concatenate([rng.normal(16.37, 0.03, 300), rng.normal(16.42, 0.01, 120)])
np.savez("scooters.npz", lat=lat, lon=lon)

# %%
data = np.load("scooters.npz")
print(data.files)
lat, lon = data["lat"], data["lon"]

# %%
counts, lon_edges, lat_edges = np.histogram2d(lon, lat, bins=(12, 10))
counts.shape, counts.sum()

# %%
i, j = np.unravel_index(counts.argmax(), counts.shape)
hottest_cell = (round(lon_edges[i], 3), round(lat_edges[j], 3))
hottest_cell

# %%
fig, ax = plt.subplots(figsize=(6, 5))
mesh = ax.pcolormesh(lon_edges, lat_edges, counts.T + 1, norm=LogNorm(), cmap="viridis")
cbar = fig.colorbar(mesh, ax=ax)
cbar.set_label("scooters")
cbar_label = cbar.ax.get_ylabel()
ax.add_patch(Rectangle((lon_edges[i], lat_edges[j]), lon_edges[1] - lon_edges[0], lat_edges[1] - lat_edges[0], fill=False, ec="red"))
ax.set(xlabel="lon", ylabel="lat", title="Where are they?")
plt.show()

# %%
zone = np.where(counts > 15, 2, np.where(counts > 3, 1, 0))
plt.imshow(zone.T, origin="lower", cmap=ListedColormap(["white", "orange", "red"]))
plt.colorbar(ticks=[0, 1, 2])
plt.close("all")
np.bincount(zone.ravel())

