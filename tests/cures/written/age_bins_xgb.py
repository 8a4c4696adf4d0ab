# group: data
# seen: 2026-11-29d
# fails: ValueError: feature_names must be string, and may not contain [, ] or <
# cause: the bins of pd.cut are named like "(18, 30]", and these end up as column names, which XGBoost refuses because of
#   the bracket; give the bins plain labels.
# holds: [c for c in F.columns if "[" in c or "]" in c or "<" in c] -> []
# holds: F.shape -> (250, 5)
# holds: len(bst.feature_importances_) -> 5

# %%
import numpy as np
import pandas as pd
import xgboost as xgb

# %%
rng = np.random.default_rng(55)
people = pd.DataFrame({"age": rng.integers(19, 80, 250), "visits": rng.poisson(4, 250)})
people["bought"] = ((people.age > 45) & (people.visits > 3)).astype(int) ^ (rng.random(250) < .05)
people.bought.value_counts()

# %%
people["age_group"] = pd.cut(people["age"], bins=[18, 30, 45, 60, 100])
people.groupby("age_group", observed=True).bought.mean()

# %% [repaired]
people["age_group"] = pd.cut(people["age"], bins=[18, 30, 45, 60, 100], labels=["19-30", "31-45", "46-60", "61+"])
people.groupby("age_group", observed=True).bought.mean()

# %%
F = pd.get_dummies(people[["visits", "age_group"]], columns=["age_group"], prefix="age")
F.columns = F.columns.astype(str)
F.shape

# %%
bst = xgb.XGBClassifier(n_estimators=20, max_depth=2)
bst.fit(F, people["bought"])
print(bst.score(F, people["bought"]))
