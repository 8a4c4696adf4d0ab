# group: data
# seen: 2026-11-29e
# fails: ValueError: Invalid classes inferred from unique values of `y`.  Expected: [0 1 2], got [1 2 3]
# cause: the varieties are coded 1..3 but XGBClassifier expects classes from 0.
# holds: sorted(set(y.tolist())) -> [0, 1, 2]
# holds: clf.n_classes_ -> 3
# holds: float(acc) > 0.6 -> True

# %%
import numpy as np
from xgboost import XGBClassifier
from sklearn.model_selection import train_test_split

# %%
# wheat seeds, 3 varieties (1 = Kama, 2 = Rosa, 3 = Canadian)
gen = np.random.default_rng(21)
variety = np.repeat([1, 2, 3], 40)
X = gen.normal(variety[:, None] * 1.5, 1.0, size=(120, 4))
X.shape, variety[:5]

# %%
y = variety
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, random_state=0, stratify=y)

# %% [repaired]
y = variety - 1
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, random_state=0, stratify=y)

# %%
clf = XGBClassifier(n_estimators=20, max_depth=3, n_jobs=1)
clf.fit(X_train, y_train)

# %%
acc = (clf.predict(X_test) == y_test).mean()
print("accuracy", acc)

# %%
clf.feature_importances_.round(2)
