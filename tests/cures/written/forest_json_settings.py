# group: data
# seen: 2026-11-30f
# fails: InvalidParameterError: The 'max_depth' parameter of RandomForestClassifier must be an int in the range [1, inf) or None. Got 'None' instead.
# cause: in the JSON settings max_depth is the string "None" in place of null, so the forest gets a str.
# holds: cfg["forest"]["max_depth"] is None -> True
# holds: rf.get_params()["max_depth"] is None -> True
# holds: len(rf.estimators_) -> 40
# holds: round(float(acc), 3) -> 0.878

# %%
import json
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

# %%
settings = """
{
  "data":   {"test_size": 0.3, "seed": 13},
  "forest": {"n_estimators": 40, "max_depth": "None", "min_samples_leaf": 2}
}
"""
cfg = json.loads(settings)
cfg

# %% [repaired]
settings = """
{
  "data":   {"test_size": 0.3, "seed": 13},
  "forest": {"n_estimators": 40, "max_depth": null, "min_samples_leaf": 2}
}
"""
cfg = json.loads(settings)
cfg

# %%
X, y = make_classification(n_samples=300, n_features=8, n_informative=4, random_state=cfg["data"]["seed"])
X_tr, X_te, y_tr, y_te = train_test_split(
    X, y, test_size=cfg["data"]["test_size"], random_state=cfg["data"]["seed"])
print(X_tr.shape, X_te.shape)

# %%
rf = RandomForestClassifier(**cfg["forest"], random_state=cfg["data"]["seed"])

# %%
rf.fit(X_tr, y_tr)
acc = rf.score(X_te, y_te)
print(f"accuracy {acc:.3f}")
