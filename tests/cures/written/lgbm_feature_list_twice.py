# group: data
# seen: 2026-11-29d
# fails: LightGBMError: Feature (size_per_room) appears more than one time.
# cause: the cell which adds the new column to FEATS was run twice, so FEATS names size_per_room two times;
#   add it only if it is not in the list yet.
# holds: FEATS -> ['size', 'rooms', 'floor', 'size_per_room']
# holds: flats[FEATS].shape -> (300, 4)
# holds: gbm.n_features_ -> 4
# order: 1, 2, 3, 3, 4
# again: 1, 2, 3, 4

# %%
import lightgbm as lgb
import numpy as np
import pandas as pd

# %%
rng = np.random.default_rng(44)
flats = pd.DataFrame({"size": rng.normal(70, 20, 300).clip(20), "rooms": rng.integers(1, 6, 300), "floor": rng.integers(0, 9, 300)})
flats["rent"] = 9 * flats["size"] + 40 * flats["rooms"] + rng.normal(0, 60, 300)
FEATS = ["size", "rooms", "floor"]
flats.head()

# %%
flats["size_per_room"] = flats["size"] / flats["rooms"]
FEATS.append("size_per_room")

# %% [repaired]
flats["size_per_room"] = flats["size"] / flats["rooms"]
if "size_per_room" not in FEATS:
    FEATS.append("size_per_room")

# %%
gbm = lgb.LGBMRegressor(n_estimators=30, num_leaves=7, verbose=-1, n_jobs=1)
gbm.fit(flats[FEATS], flats["rent"])
print(gbm.score(flats[FEATS], flats["rent"]))
