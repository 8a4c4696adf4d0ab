# group: data
# seen: 2026-11-29e
# fails: ValueError: Found unknown categories ['islands'] in column 0 during transform
# cause: the newer orders have a region the encoder never saw in fit; it must be made with handle_unknown="ignore".
# holds: X_new.shape -> (3, 3)
# holds: X_new[-1].tolist() -> [0.0, 0.0, 0.0]
# holds: len(pred) -> 3

# %%
import pandas as pd
from sklearn.preprocessing import OneHotEncoder
from sklearn.linear_model import Ridge

# %%
old = pd.DataFrame({"region": ["north", "south", "east", "north", "south", "east"] * 4,
                    "days": [3, 5, 4, 2, 6, 4] * 4})
new = pd.DataFrame({"region": ["south", "north", "islands"]})  # islands: we ship there since june

# %%
enc = OneHotEncoder(sparse_output=False)
X_old = enc.fit_transform(old[["region"]])
X_old[:3]

# %% [repaired]
enc = OneHotEncoder(sparse_output=False, handle_unknown="ignore")
X_old = enc.fit_transform(old[["region"]])
X_old[:3]

# %%
model = Ridge().fit(X_old, old["days"])
print("train R2", round(model.score(X_old, old["days"]), 3))

# %%
# regions the encoder doesn't know shall simply get zeros in all columns
X_new = enc.transform(new[["region"]])
pred = model.predict(X_new)
new.assign(days=pred.round(1))
