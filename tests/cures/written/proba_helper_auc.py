# group: data
# seen: 2026-11-29c
# fails: ValueError: y should be a 1d array, got an array of shape (143, 2) instead.
# cause: get_scores() returns the probabilities of both classes; the metrics want the column of the positive class only.
# holds: scores["gb"].shape -> (143,)
# holds: all(0.5 < v <= 1 for v in auc.values()) -> True
# holds: sorted(auc) -> ['gb', 'knn']

# %%
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.metrics import roc_auc_score, average_precision_score

# %%
data = load_breast_cancer(as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(data.data.iloc[:, :6], data.target, random_state=7)
X_train.shape

# %%
def get_scores(model):
    model.fit(X_train, y_train)
    return model.predict_proba(X_test)

# %% [repaired]
def get_scores(model):
    model.fit(X_train, y_train)
    return model.predict_proba(X_test)[:, 1]

# %%
models = {"gb": GradientBoostingClassifier(n_estimators=30, random_state=0), "knn": KNeighborsClassifier(9)}
scores = {}
for name, m in models.items():
    scores[name] = get_scores(m)
    print(name, len(scores[name]))

# %%
auc = {}
for name, s in scores.items():
    auc[name] = roc_auc_score(y_test, s)
print(auc)

# %%
print({k: average_precision_score(y_test, v) for k, v in scores.items()})
