# group: data
# seen: 2026-11-30h
# fails: ValueError: Unknown label type: continuous. Maybe you are trying to fit a classifier, which expects discrete classes on a regression target with continuous values.
# cause: the scaler runs over the whole table with the target column too, so the classes become continuous numbers;
#   only the features may be scaled.
# holds: sorted(set(y.tolist())) -> [0, 1, 2]
# holds: list(clf.classes_) == [0, 1, 2] -> True
# holds: abs(float(X.to_numpy().mean())) < 1e-9 -> True
# holds: X.shape -> (178, 13)

# %%
import pandas as pd
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler
from sklearn.model_selection import train_test_split
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score

# %%
wine = load_wine(as_frame=True).frame
wine.head()

# %%
wine["target"].value_counts()

# %%
# scale the data
scaler = StandardScaler()
wine_scaled = pd.DataFrame(scaler.fit_transform(wine), columns=wine.columns)
X = wine_scaled.drop(columns="target")
y = wine_scaled["target"]

# %% [repaired]
# scale the data (features only)
scaler = StandardScaler()
X = wine.drop(columns="target")
X = pd.DataFrame(scaler.fit_transform(X), columns=X.columns)
y = wine["target"]

# %%
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=42)
clf = LogisticRegression(max_iter=500)
clf.fit(X_train, y_train)

# %%
print("accuracy:", accuracy_score(y_test, clf.predict(X_test)))
