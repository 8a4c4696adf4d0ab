# group: data
# seen: 2026-11-29c
# fails: ValueError: The classes, [0, 1], are not in class_weight
# cause: JSON keys are always text, so the class weights read back from the settings have the keys "0" and "1" and not 0 and 1.
# holds: sorted(settings["class_weight"]) -> [0, 1]
# holds: clf.class_weight[1] -> 6.0
# holds: clf.classes_.tolist() -> [0, 1]

# %%
import json
import tempfile, os
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.datasets import make_classification
from sklearn.metrics import recall_score

# %%
SETTINGS_FILE = os.path.join(tempfile.mkdtemp(), "settings.json")
with open(SETTINGS_FILE, "w") as f:
    json.dump({"C": 0.5, "class_weight": {0: 1.0, 1: 6.0}, "max_iter": 300}, f, indent=2)

# %%
X, y = make_classification(n_samples=400, n_features=8, weights=[0.9], random_state=3)
print("positives:", y.sum())

# %%
with open(SETTINGS_FILE) as f:
    settings = json.load(f)
settings

# %% [repaired]
with open(SETTINGS_FILE) as f:
    settings = json.load(f)
settings["class_weight"] = {int(k): w for k, w in settings["class_weight"].items()}
settings

# %%
clf = LogisticRegression(**settings)

# %%
clf.fit(X, y)
print("recall", recall_score(y, clf.predict(X)))
