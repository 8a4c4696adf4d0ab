# group: data
# seen: 2026-11-29e
# fails: ValueError: The feature names should match those that were passed during fit.
# cause: get_dummies on the applicants makes other columns than on the training data; reindex to the columns of X.
# holds: list(X_new.columns) == list(X.columns) -> True
# holds: X_new.shape -> (3, 5)
# holds: len(p) -> 3

# %%
import pandas as pd
import numpy as np
from sklearn.ensemble import RandomForestClassifier

# %%
np.random.seed(13)
hist = pd.DataFrame({"income": np.random.randint(18, 90, 80),
                     "job": np.random.choice(["office", "craft", "farm", "student"], 80)})
hist["default"] = ((hist.income < 35) | (hist.job == "student")).astype(int)
hist.sample(4, random_state=0)

# %%
X = pd.get_dummies(hist[["income", "job"]])
rf = RandomForestClassifier(n_estimators=25, random_state=0).fit(X, hist["default"])
rf.score(X, hist["default"])

# %%
applicants = pd.DataFrame({"income": [28, 61, 44], "job": ["office", "craft", "office"]})
X_new = pd.get_dummies(applicants)
X_new

# %% [repaired]
applicants = pd.DataFrame({"income": [28, 61, 44], "job": ["office", "craft", "office"]})
X_new = pd.get_dummies(applicants).reindex(columns=X.columns, fill_value=False)
X_new

# %%
p = rf.predict_proba(X_new)[:, 1]
applicants.assign(p_default=p)
