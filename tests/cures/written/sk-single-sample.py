# group: data
# seen: 2026-11-28
# fails: ValueError: Expected 2D array, got 1D array instead:
# cause: predict_one() of cell 5 gives the scaler a flat vector; transform wants 2-D (one row).
# holds: name -> np.str_('setosa')
# holds: probs.shape -> (1, 3)
# holds: round(float(probs.max()),3) -> 1.0

# %%
import numpy as np
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.model_selection import cross_val_score

# %%
iris = load_iris()
scaler = StandardScaler().fit(iris.data)
X = scaler.transform(iris.data)

# %%
cross_val_score(SVC(), X, iris.target, cv=5).mean().round(3)

# %%
from sklearn.neighbors import KNeighborsClassifier
knn_like = KNeighborsClassifier(7).fit(X, iris.target)

# %%
def predict_one(sl, sw, pl, pw):
    x = np.array([sl, sw, pl, pw])
    z = scaler.transform(x)
    probs = knn_like.predict_proba(z)
    return iris.target_names[probs.argmax()], probs

# %% [repaired]
def predict_one(sl, sw, pl, pw):
    x = np.array([[sl, sw, pl, pw]])
    z = scaler.transform(x)
    probs = knn_like.predict_proba(z)
    return iris.target_names[probs.argmax()], probs

# %%
# flower from the garden
name, probs = predict_one(5.0, 3.4, 1.5, 0.2)
print(name)

# %%
print(dict(zip(iris.target_names, probs[0].round(2))))
