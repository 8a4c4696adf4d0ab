# group: data
# seen: 2026-11-29d
# fails: ValueError: Found input variables with inconsistent numbers of samples: [127, 130]
# cause: drop_outliers() removes rows from the feature table only; y still has all rows. The target must be filtered to the
#   rows that stay.
# holds: len(X) == len(y) -> True
# holds: X.index.equals(y.index) -> True
# holds: len(X) -> 127
# holds: round(float(svr.score(Xs, y)), 3) -> 0.99

# %%
import numpy as np
import pandas as pd
from sklearn.svm import SVR
from sklearn.preprocessing import RobustScaler

# %%
rng = np.random.default_rng(303)
trial = pd.DataFrame(rng.normal(size=(130, 3)), columns=["dose", "weight", "hr"])
trial.loc[[4, 57, 88], "hr"] = [9.5, -8.2, 11.0]
trial["response"] = 1.5 * trial["dose"] - .4 * trial["weight"] + rng.normal(0, .2, 130)
trial.describe().round(2)

# %%
def drop_outliers(frame, z=4):
    dist = ((frame - frame.median()) / frame.std()).abs()
    return frame[(dist < z).all(axis=1)]

# %%
y = trial["response"]
X = drop_outliers(trial[["dose", "weight", "hr"]])
print(len(trial) - len(X), "outliers")

# %% [repaired]
y = trial["response"]
X = drop_outliers(trial[["dose", "weight", "hr"]])
y = y.loc[X.index]
print(len(trial) - len(X), "outliers")

# %%
Xs = RobustScaler().fit_transform(X)
Xs[:2]

# %%
svr = SVR(C=5.0)
svr.fit(Xs, y)
print("R2:", round(svr.score(Xs, y), 3))
