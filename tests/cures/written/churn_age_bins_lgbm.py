# group: data
# seen: 2026-11-30f
# fails: LightGBMError: Do not support special JSON characters in feature name.
# cause: pd.cut without labels gives interval names like (0, 30], which get_dummies puts into the column names; LightGBM does not allow [ ] , in feature names.
# holds: X.shape[1] -> 6
# holds: clf.n_features_in_ -> 6
# holds: int(X.filter(like="age").sum().sum()) -> 400
# holds: [int(v) for v in X.filter(like="age").sum()] -> [83, 119, 95, 103]

# %%
import numpy as np
import pandas as pd
from lightgbm import LGBMClassifier

# %%
rng = np.random.default_rng(77)
n = 400
cust = pd.DataFrame({
    "age": rng.integers(18, 80, n),
    "tenure": rng.integers(0, 72, n),
    "calls": rng.poisson(2, n),
})
cust["churn"] = ((cust.calls > 2) & (cust.tenure < 40)).astype(int)
cust.describe()

# %%
cust["age_grp"] = pd.cut(cust["age"], bins=[0, 30, 50, 65, 120])
X = pd.get_dummies(cust[["tenure", "calls", "age_grp"]], columns=["age_grp"], prefix="age")
y = cust["churn"]
print(X.shape, y.mean())

# %% [repaired]
cust["age_grp"] = pd.cut(cust["age"], bins=[0, 30, 50, 65, 120], labels=["u30", "30to50", "50to65", "65plus"])
X = pd.get_dummies(cust[["tenure", "calls", "age_grp"]], columns=["age_grp"], prefix="age")
y = cust["churn"]
print(X.shape, y.mean())

# %%
clf = LGBMClassifier(n_estimators=30, num_leaves=7, verbosity=-1, n_jobs=1)
clf.fit(X, y)

# %%
print("train acc", clf.score(X, y))
