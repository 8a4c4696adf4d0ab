# group: data
# seen: 2026-11-29c
# fails: TypeError: '<' not supported between instances of 'builtin_function_or_method' and 'builtin_function_or_method'
# cause: in the loop scores.mean is stored without parentheses, so results holds methods and not numbers.
# holds: all(isinstance(float(v), float) for v in results.values()) -> True
# holds: ranking[0][0] -> 'svm'
# holds: len(ranking) -> 3

# %%
import numpy as np
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier
from sklearn.svm import SVC
from sklearn.dummy import DummyClassifier

# %%
iris = load_iris()
X = iris.data[:, :2]; y = iris.target
X.shape

# %%
candidates = {
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
    "svm": SVC(C=2),
    "dummy": DummyClassifier(),
}

# %%
results = {}
for name, est in candidates.items():
    scores = cross_val_score(est, X, y, cv=5)
    results[name] = scores.mean
    print(name, "done,", len(scores), "folds")

# %% [repaired]
results = {}
for name, est in candidates.items():
    scores = cross_val_score(est, X, y, cv=5)
    results[name] = scores.mean()
    print(name, "done,", len(scores), "folds")

# %%
ranking = sorted(results.items(), key=lambda kv: kv[1], reverse=True)
ranking

# %%
best = candidates[ranking[0][0]].fit(X, y)
print("winner:", best)
