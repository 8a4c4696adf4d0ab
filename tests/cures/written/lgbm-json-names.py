# group: data
# seen: 2026-11-30h
# fails: LightGBMError: Do not support special JSON characters in feature name.
# cause: the dummy columns take names like 'size_[0, 50)' with brackets and commas, which LightGBM refuses; the column names
#   must be cleaned.
# holds: X.shape -> (300, 5)
# holds: X.columns.is_unique -> True
# holds: any(c in "[],:{}" for name in gbm.feature_name_ for c in name) -> False

# %%
import re
import pandas as pd
import numpy as np
import lightgbm as lgb

# %%
np.random.seed(0)
train = pd.DataFrame({"size": np.random.randint(20, 200, 300), "age": np.random.randint(0, 90, 300)})
train["price"] = train["size"] * 30 - train["age"] * 10 + np.random.normal(0, 100, 300)
train["size_bin"] = pd.cut(train["size"], [0, 50, 100, 150, 250], right=False).astype(str)
train.head()

# %%
X = pd.get_dummies(train[["age", "size_bin"]], prefix={"size_bin": "size"}, columns=["size_bin"])
y = train["price"]
print(X.columns.tolist())

# %% [repaired]
X = pd.get_dummies(train[["age", "size_bin"]], prefix={"size_bin": "size"}, columns=["size_bin"])
X = X.rename(columns=lambda c: re.sub(r"[^A-Za-z0-9_]+", "_", c))
y = train["price"]
print(X.columns.tolist())

# %%
gbm = lgb.LGBMRegressor(n_estimators=30, num_leaves=7, verbose=-1)
gbm.fit(X, y)

# %%
pd.Series(gbm.feature_importances_, index=X.columns).sort_values()
