# group: data
# seen: 2026-11-29c
# fails: TypeError: object of type 'numpy.int64' has no len()
# cause: the cell that encodes the labels was run twice; the second time the encoder was fitted on the numbers, so its classes_ are
#   integers and no longer the names.
# order: 1,2,3,3,4,5,6
# again: 1,2,3,4,5,6
# holds: list(enc.classes_) == ["barbera", "dolcetto", "nebbiolo"] -> True
# holds: "nebbiolo" in report -> True

# %%
import numpy as np
from sklearn.preprocessing import LabelEncoder
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import classification_report
from sklearn.model_selection import train_test_split

# %%
rng = np.random.RandomState(5)
y = np.array(["nebbiolo", "barbera", "dolcetto"] * 40)
centers = {"nebbiolo": (13.9, 5.6), "barbera": (13.4, 6.9), "dolcetto": (12.5, 5.0)}
X = np.array([rng.normal(centers[v], 0.35) for v in y])
X.shape, y[:5]

# %%
enc = LabelEncoder()
y = enc.fit_transform(y)
y[:10]

# %%
Xa, Xb, ya, yb = train_test_split(X, y, random_state=1, stratify=y)

# %%
clf = LogisticRegression(max_iter=500).fit(Xa, ya)
clf.score(Xb, yb)

# %%
report = classification_report(yb, clf.predict(Xb), target_names=enc.classes_)
print(report)
