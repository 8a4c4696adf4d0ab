# group: data
# seen: 2026-11-29d
# fails: KeyError: 'ridge'
# cause: scores = {} stands inside the loop, so each model throws the former results away; it belongs before the loop.
# holds: list(scores) -> ['ridge', 'lasso', 'knn', 'tree']
# holds: len(scores["ridge"]) -> 5
# holds: isinstance(gain, float) -> True

# %%
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge, Lasso
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor
from sklearn.model_selection import cross_val_score

# %%
X, y = load_diabetes(return_X_y=True)
X.shape, y.shape

# %%
models = {
    "ridge": Ridge(alpha=0.1),
    "lasso": Lasso(alpha=0.05),
    "knn": KNeighborsRegressor(12),
    "tree": DecisionTreeRegressor(max_depth=4, random_state=0),
}

# %%
for name, m in models.items():
    scores = {}
    s = cross_val_score(m, X, y, cv=5)
    scores[name] = s
    print(f"{name:8s} {s.mean():.3f} +/- {s.std():.3f}")

# %% [repaired]
scores = {}
for name, m in models.items():
    s = cross_val_score(m, X, y, cv=5)
    scores[name] = s
    print(f"{name:8s} {s.mean():.3f} +/- {s.std():.3f}")

# %%
gain = float(scores["ridge"].mean() - scores["tree"].mean())
print("ridge better than the tree by", round(gain, 3))
