# group: data
# seen: 2026-11-30g
# fails: ValueError: Invalid classes inferred from unique values of `y`.  Expected: [0 1 2 3], got [1 2 3 4]
# cause: the classes are numbered 1..4, and XGBClassifier wants 0..3; shift the labels before fit.
# holds: sorted(set(y.tolist())) -> [0, 1, 2, 3]
# holds: bool(acc > 0.95) -> True
# holds: sorted(set(pred.tolist())) -> [0, 1, 2, 3]

# %%
import numpy as np, pandas as pd
from xgboost import XGBClassifier

# %%
np.random.seed(21)
n = 240
elev = np.random.randint(1800, 3400, n)
train = pd.DataFrame({"Elevation": elev, "Slope": np.random.randint(0, 40, n),
                      "Cover_Type": np.clip((elev - 1800) // 400 + 1, 1, 4)})
train["Cover_Type"].value_counts().sort_index()

# %%
feats = ["Elevation", "Slope"]
X, y = train[feats], train["Cover_Type"]

# %% [repaired]
feats = ["Elevation", "Slope"]
X, y = train[feats], train["Cover_Type"] - 1

# %%
xgb = XGBClassifier(n_estimators=15, max_depth=3)
xgb.fit(X, y)

# %%
pred = xgb.predict(X)
acc = (pred == y).mean()
print("train accuracy", acc)
print(pd.crosstab(y, pred))
