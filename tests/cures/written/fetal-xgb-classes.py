# group: data
# seen: 2026-11-30h
# fails: ValueError: Invalid classes inferred from unique values of `y`.  Expected: [0 1 2], got [1 2 3]
# cause: XGBClassifier wants the classes numbered from 0, here they are 1, 2, 3; shift (or LabelEncode) the labels before
#   the split.
# holds: [int(c) for c in model.classes_] -> [0, 1, 2]
# holds: float((model.predict(X_test) == y_test).mean()) > 0.7 -> True
# holds: model.n_classes_ -> 3
# holds: proba.shape -> (45, 3)

# %%
import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split
from sklearn.metrics import confusion_matrix
from xgboost import XGBClassifier

# %%
# health class: 1 = Normal, 2 = Suspect, 3 = Pathological
rng = np.random.default_rng(33)
df = pd.DataFrame(rng.normal(size=(180, 4)), columns=["baseline", "accel", "uterine", "decel"])
score = df["decel"] * 1.5 - df["accel"]
df["fetal_health"] = np.digitize(score, [0.8, 2.0]) + 1
df["fetal_health"].value_counts()

# %%
X = df.drop("fetal_health", axis=1)
y = df["fetal_health"]
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, random_state=1, stratify=y)
X_train.shape, X_test.shape

# %% [repaired]
X = df.drop("fetal_health", axis=1)
y = df["fetal_health"] - 1
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, random_state=1, stratify=y)
X_train.shape, X_test.shape

# %%
model = XGBClassifier(n_estimators=40, max_depth=3)
model.fit(X_train, y_train)

# %%
proba = model.predict_proba(X_test)
confusion_matrix(y_test, model.predict(X_test))
