# group: data
# seen: 2026-11-29d
# fails: KeyError: 2
# cause: JSON turns the integer keys of inertias into strings, so the loaded results have "2", "3", ...; the keys must be
#   made ints again after loading.
# holds: sorted(res["inertia"]) -> [2, 3, 4, 5, 6, 7]
# holds: len(drops) -> 5
# holds: all(d > 0 for d in drops.values()) -> True

# %%
import json, tempfile, os
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

# %%
pts, _ = make_blobs(n_samples=180, centers=4, cluster_std=0.9, random_state=21)
pts.shape

# %%
ks = range(2, 8)
inertias = {}
for k in ks:
    km = KMeans(n_clusters=k, n_init=5, random_state=0).fit(pts)
    inertias[k] = float(km.inertia_)

# %%
path = os.path.join(tempfile.mkdtemp(), "kmeans.json")
with open(path, "w") as f:
    json.dump({"inertia": inertias, "n": len(pts)}, f, indent=1)

# %%
# (start from here when the runs are already done)
with open(path) as f:
    res = json.load(f)
print(res["n"])

# %% [repaired]
# (start from here when the runs are already done)
with open(path) as f:
    res = json.load(f)
res["inertia"] = {int(k): v for k, v in res["inertia"].items()}
print(res["n"])

# %%
drops = {}
for k in ks[1:]:
    drops[k] = res["inertia"][k - 1] - res["inertia"][k]
drops
