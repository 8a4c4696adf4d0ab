# group: data
# seen: 2026-11-29d
# fails: KeyError: "None of ['station'] are in the columns"
# cause: the cell with set_index("station", inplace=True) was run a second time; station is the index already.
#   The cell should assign from the raw table, so that running it again does no harm.
# holds: stations.index.name -> 'station'
# holds: stations.shape -> (8, 3)
# holds: float(stations.loc["S03", "height"]) -> 202.0
# order: 1, 2, 3, 3
# again: 1, 2, 3, 4

# %%
import pandas as pd, numpy as np

# %%
np.random.seed(0)
stations = pd.DataFrame({
    "station": [f"S{i:02d}" for i in range(8)],
    "height": np.random.randint(10, 900, 8),
    "lat": np.random.uniform(47, 54, 8).round(3),
    "lon": np.random.uniform(6, 14, 8).round(3),
})
stations

# %%
stations.set_index("station", inplace=True)
stations.loc["S03"]

# %% [repaired]
if stations.index.name != "station":
    stations = stations.set_index("station")
stations.loc["S03"]

# %%
high = stations[stations["height"] > 500]
print(len(high), "mountain stations")
