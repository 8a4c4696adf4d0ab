# group: data
# seen: 2026-11-28
# fails: NotFittedError: This HistGradientBoostingClassifier instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator.
# order: 1, 2, 3, 4, 3, 5
# again: 1, 2, 3, 4, 3, 4, 5, 6
# cause: The cell that makes the model (3) was run again after the fit (4): the new model in the kernel is not
#   fitted.
# holds: round(float(auc),3) -> 0.991
# holds: len(proba) -> 300
# holds: model.n_features_in_ -> 15

# %%
import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score, RocCurveDisplay
from sklearn.model_selection import train_test_split

# %%
X, y = make_classification(1200, 15, n_informative=6, weights=[.8], random_state=2)
X_tr, X_te, y_tr, y_te = train_test_split(X, y, stratify=y, random_state=2)
y_tr.mean(), y_te.mean()

# %%
params = dict(max_iter=60, learning_rate=.1, max_leaf_nodes=15)
model = HistGradientBoostingClassifier(**params, random_state=0)
model

# %%
model.fit(X_tr, y_tr)
print("train acc", model.score(X_tr, y_tr))

# %%
proba = model.predict_proba(X_te)[:, 1]
auc = roc_auc_score(y_te, proba)
print("auc", auc)

# %%
RocCurveDisplay.from_predictions(y_te, proba);
