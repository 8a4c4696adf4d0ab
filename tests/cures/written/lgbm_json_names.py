# group: data
# seen: 2026-11-29e
# fails: LightGBMError: Do not support special JSON characters in feature name.
# cause: the column names have characters of JSON ([ ] , :), which LightGBM refuses; the columns need to be renamed.
# holds: len(reg.feature_name_) -> 3
# holds: any(ch in "".join(data.columns) for ch in '[]{}",:') -> False
# holds: reg.n_features_in_ -> 3

# %%
import re
import numpy as np, pandas as pd
import lightgbm as lgb

# %%
np.random.seed(5)
data = pd.DataFrame(np.random.rand(200, 3), columns=["temp [C]", "pressure [bar]", "flow: in"])
target = 3 * data["temp [C]"] - data["pressure [bar]"] + np.random.randn(200) * .05
data.head(3)

# %% [repaired]
np.random.seed(5)
data = pd.DataFrame(np.random.rand(200, 3), columns=["temp [C]", "pressure [bar]", "flow: in"])
target = 3 * data["temp [C]"] - data["pressure [bar]"] + np.random.randn(200) * .05
data.columns = [re.sub(r"[^A-Za-z0-9_]+", "_", c).strip("_") for c in data.columns]
data.head(3)

# %%
data.corrwith(target).round(2)

# %%
reg = lgb.LGBMRegressor(n_estimators=30, n_jobs=1, verbose=-1)
reg.fit(data, target)

# %%
print(pd.Series(reg.feature_importances_, index=data.columns))
