# group: data
# seen: 2026-11-30g
# fails: LightGBMError: Do not support special JSON characters in feature name.
# cause: the dummy columns carry commas, brackets and colons from the category texts, and LightGBM refuses those characters
#   in feature names; clean the names before fit.
# holds: X.shape -> (300, 7)
# holds: any(ch in "".join(X.columns) for ch in '[]{}":,') -> False
# holds: len(set(X.columns)) == X.shape[1] -> True

# %%
import numpy as np
import pandas as pd
import lightgbm as lgb

# %%
rng = np.random.default_rng(11)
N = 300
app = pd.DataFrame({
    "income": rng.normal(50, 12, N).round(1),
    "age_bin": pd.cut(rng.integers(20, 70, N), [19, 35, 50, 70]).astype(str),
    "housing": rng.choice(["House: own", "House: rent", "Flat"], N),
})
app["TARGET"] = ((app.income < 48) & (app.housing != "House: own")).astype(int)
app.head()

# %%
X = pd.get_dummies(app.drop(columns="TARGET"))
y = app["TARGET"]
X.columns.tolist()

# %% [repaired]
import re
X = pd.get_dummies(app.drop(columns="TARGET"))
X.columns = [re.sub(r"[^A-Za-z0-9_]+", "_", c) for c in X.columns]
y = app["TARGET"]
X.columns.tolist()

# %%
clf = lgb.LGBMClassifier(n_estimators=20, num_leaves=7, verbose=-1)
clf.fit(X, y)

# %%
imp = pd.Series(clf.feature_importances_, index=X.columns).sort_values(ascending=False)
imp.head()
