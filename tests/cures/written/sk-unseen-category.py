# group: data
# seen: 2026-11-29
# fails: ValueError: Found unknown categories ['old town'] in column 0 during transform
# cause: The encoder of cell 4 (handle_unknown left at "error") met only the train rows' districts; the scoring rows
#   of cell 6 have a new one.
# holds: len(new_pred) -> 3
# holds: bool((new_pred > 0).all()) -> True
# holds: round(float(model.score(X_te, y_te)),3) -> 0.969

# %%
import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import Ridge
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

# %%
rng = np.random.default_rng(0)
n = 400
flats = pd.DataFrame({"district": rng.choice(["centre", "harbour", "north"], n), "area": rng.uniform(25, 140, n), "floor": rng.integers(0, 9, n)})
flats["rent"] = 300 + 9 * flats.area + flats.district.map({"centre": 350, "harbour": 200, "north": 0}) + rng.normal(0, 60, n)
flats.groupby("district").rent.mean().round()

# %%
X_tr, X_te, y_tr, y_te = train_test_split(flats.drop(columns="rent"), flats["rent"], random_state=1)

# %%
pre = ColumnTransformer([
    ("cat", OneHotEncoder(), ["district"]),
    ("num", StandardScaler(), ["area", "floor"]),
])
model = make_pipeline(pre, Ridge())

# %% [repaired]
pre = ColumnTransformer([
    ("cat", OneHotEncoder(handle_unknown="ignore"), ["district"]),
    ("num", StandardScaler(), ["area", "floor"]),
])
model = make_pipeline(pre, Ridge())

# %%
model.fit(X_tr, y_tr)
print("R2 test:", round(model.score(X_te, y_te), 3))

# %%
new = pd.DataFrame({"district": ["centre", "old town", "north"], "area": [60, 45, 100], "floor": [2, 1, 5]})
new_pred = model.predict(new)

# %%
new.assign(rent=new_pred.round())
