# group: data
# seen: 2026-11-29b
# fails: LightGBMError: Do not support special JSON characters in feature name.
# cause: LightGBM refuses feature names with characters such as [ ] and : , the columns keep their units in brackets.
# holds: train.shape -> (200, 3)
# holds: bool(r2 > 0.8) -> True
# holds: len(imp) -> 3

# %% [markdown]
# Rent model, first try with LightGBM

# %%
import re
import numpy as np, pandas as pd
import lightgbm as lgb
from sklearn.metrics import r2_score

# %%
np.random.seed(11)
N = 260
flats = pd.DataFrame({
    "size [m2]": np.random.randint(20, 120, N),
    "floor": np.random.randint(0, 9, N),
    "heating: gas": np.random.randint(0, 2, N),
})
flats["rent"] = 200 + 11*flats["size [m2]"] + 15*flats["floor"] + np.random.normal(0, 30, N)
flats.head()

# %%
feats = flats.drop(columns="rent")
train, test = feats[:200], feats[200:]
y_train, y_test = flats["rent"][:200], flats["rent"][200:]

# %% [repaired]
feats = flats.drop(columns="rent")
feats.columns = [re.sub(r"\W+", "_", c).strip("_") for c in feats.columns]
train, test = feats[:200], feats[200:]
y_train, y_test = flats["rent"][:200], flats["rent"][200:]

# %%
model = lgb.LGBMRegressor(n_estimators=80, verbose=-1, n_jobs=1)
model.fit(train, y_train)

# %%
r2 = r2_score(y_test, model.predict(test))
imp = pd.Series(model.feature_importances_, index=train.columns)
print("R2:", round(r2, 3))
imp.sort_values()
