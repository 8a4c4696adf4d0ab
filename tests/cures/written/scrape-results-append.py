# group: data
# seen: 2026-11-30h
# fails: AttributeError: 'DataFrame' object has no attribute 'append'
# cause: DataFrame.append was removed in pandas 2; the row must be added with pd.concat.
# holds: results.shape -> (3, 3)
# holds: results["model"].tolist() -> ['logreg', 'knn', 'tree']
# holds: list(results.index) -> [0, 1, 2]

# %%
import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

# %%
X, y = make_classification(n_samples=200, n_features=6, random_state=0)
X.shape, y.shape

# %%
models = {
    "logreg": LogisticRegression(),
    "knn": KNeighborsClassifier(5),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
}

# %%
results = pd.DataFrame(columns=["model", "acc", "std"])
for name, m in models.items():
    s = cross_val_score(m, X, y, cv=4)
    results = results.append({"model": name, "acc": s.mean(), "std": s.std()}, ignore_index=True)

# %% [repaired]
rows = []
for name, m in models.items():
    s = cross_val_score(m, X, y, cv=4)
    rows.append({"model": name, "acc": s.mean(), "std": s.std()})
results = pd.DataFrame(rows, columns=["model", "acc", "std"])

# %%
results.sort_values("acc", ascending=False)

# %%
best = results.loc[results["acc"].idxmax(), "model"]
print("best model:", best)
