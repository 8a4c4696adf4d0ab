# group: data
# seen: 2026-11-30g
# fails: ValueError: Found input variables with inconsistent numbers of samples: [120, 30]
# cause: train_test_split returns X_train, X_test, y_train, y_test; the names are unpacked in another order, so
#   "y_train" is really the test features.
# holds: X_train.shape -> (120, 4)
# holds: y_train.shape -> (120,)
# holds: X_test.shape[0] == y_test.shape[0] == 30 -> True
# holds: bool(acc > 0.9) -> True

# %% [markdown]
# Week 3 homework, question 2

# %%
import numpy as np
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

# %%
iris = load_iris()
X = iris.data
y = iris.target
print(X.shape, y.shape)

# %%
X_train, y_train, X_test, y_test = train_test_split(X, y, test_size=0.2, random_state=42)

# %% [repaired]
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=42)

# %%
knn = KNeighborsClassifier(n_neighbors=5)
knn.fit(X_train, y_train)

# %%
acc = knn.score(X_test, y_test)
print("accuracy:", acc)
