# group: data
# seen: 2026-11-30h
# fails: KeyError: "None of [Index([ 0,  1,  2,  3,  5,  6,  7,  8,  9, 12, 13, 14, 16, 17, 19, 21, 23, 24,\n       26, 27, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39],\n      dtype='int64')] are in the [columns]"
# cause: X[train_idx] looks for columns with these numbers; the rows at positions need .iloc.
# holds: len(scores) -> 4
# holds: oof.shape, bool(np.isnan(oof).any()) -> ((40,), False)
# holds: max(scores) < 1.5 -> True

# %%
import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import KFold

# %%
rng = np.random.RandomState(3)
X = pd.DataFrame(rng.rand(40, 3), columns=["temp", "hum", "wind"])
y = 10 * X["temp"] - 4 * X["wind"] + rng.normal(0, 0.5, 40)
X.describe().loc[["mean", "std"]]

# %%
kf = KFold(n_splits=4, shuffle=True, random_state=0)
oof = np.full(len(X), np.nan)

# %%
scores = []
for fold, (train_idx, val_idx) in enumerate(kf.split(X)):
    X_tr, X_va = X[train_idx], X[val_idx]
    y_tr, y_va = y[train_idx], y[val_idx]
    lr = LinearRegression().fit(X_tr, y_tr)
    oof[val_idx] = lr.predict(X_va)
    scores.append(mean_absolute_error(y_va, oof[val_idx]))
    print("fold", fold, scores[-1])

# %% [repaired]
scores = []
for fold, (train_idx, val_idx) in enumerate(kf.split(X)):
    X_tr, X_va = X.iloc[train_idx], X.iloc[val_idx]
    y_tr, y_va = y.iloc[train_idx], y.iloc[val_idx]
    lr = LinearRegression().fit(X_tr, y_tr)
    oof[val_idx] = lr.predict(X_va)
    scores.append(mean_absolute_error(y_va, oof[val_idx]))
    print("fold", fold, scores[-1])

# %%
print("CV MAE: %.3f +- %.3f" % (np.mean(scores), np.std(scores)))
