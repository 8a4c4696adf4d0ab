# group: data
# seen: 2026-11-29e
# fails: ValueError: Unknown label type: continuous-multioutput. Maybe you are trying to fit a classifier, which expects discrete classes on a regression target with continuous values.
# cause: train_test_split returns X_train, X_test, y_train, y_test; the names are in the wrong order.
# holds: X_train.shape, y_train.shape -> ((240, 6), (240,))
# holds: X_test.shape, y_test.shape -> ((60, 6), (60,))

# %%
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

# %%
X, y = make_classification(n_samples=300, n_features=6, random_state=7)
print(X.shape, y.mean())

# %%
X_train, y_train, X_test, y_test = train_test_split(X, y, test_size=0.2, random_state=7)

# %% [repaired]
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=7)

# %%
tree = DecisionTreeClassifier(max_depth=4, random_state=0)
tree.fit(X_train, y_train)

# %%
print("train", tree.score(X_train, y_train))
print("test ", tree.score(X_test, y_test))
