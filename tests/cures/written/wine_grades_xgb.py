# group: data
# seen: 2026-11-29b
# fails: ValueError: Invalid classes inferred from unique values of `y`.  Expected: [0 1 2], got [1 2 3]
# cause: XGBClassifier wants classes numbered from 0, the grades are 1..3.
# holds: bool(acc > 0.9) -> True
# holds: sorted(int(c) for c in set(pred)) -> [0, 1, 2]
# holds: len(pred) -> 60

# %%
import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split
from xgboost import XGBClassifier

# %%
rng = np.random.default_rng(5)
n = 240
wine = pd.DataFrame({
    "alcohol": rng.uniform(9, 15, n),
    "acid": rng.uniform(2, 8, n),
    "sugar": rng.normal(6, 1, n),
})
wine["grade"] = np.where(wine.alcohol > 13, 3, np.where(wine.alcohol > 11, 2, 1))
wine.grade.value_counts()

# %%
X = wine.drop(columns="grade")
y = wine["grade"]
X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=0.25, random_state=1, stratify=y)
X_tr.shape, X_te.shape

# %% [repaired]
X = wine.drop(columns="grade")
y = wine["grade"] - 1      # grades 1..3 -> classes 0..2
X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=0.25, random_state=1, stratify=y)
X_tr.shape, X_te.shape

# %%
clf = XGBClassifier(n_estimators=30, max_depth=3, n_jobs=1)
clf.fit(X_tr, y_tr)

# %%
pred = clf.predict(X_te)
acc = (pred == y_te.to_numpy()).mean()
print(f"accuracy {acc:.3f}")
