# group: data
# seen: 2026-11-30h
# fails: ValueError: Found input variables with inconsistent numbers of samples: [455, 114]
# cause: train_test_split returns X_train, X_test, y_train, y_test; the names are unpacked in another order.
# holds: X_train.shape, y_train.shape -> ((455, 30), (455,))
# holds: X_test.shape, y_test.shape -> ((114, 30), (114,))
# holds: acc > 0.85 -> True

# %% [markdown]
# ### Homework 2 - kNN on breast cancer

# %%
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

# %%
data = load_breast_cancer()
X, y = data.data, data.target
print(X.shape, y.shape)

# %%
X_train, y_train, X_test, y_test = train_test_split(X, y, test_size=0.2, random_state=0)

# %% [repaired]
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=0)

# %%
knn = KNeighborsClassifier(n_neighbors=5)
knn.fit(X_train, y_train)

# %%
acc = knn.score(X_test, y_test)
print(f"accuracy = {acc:.3f}")
