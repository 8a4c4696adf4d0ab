# group: data
# seen: 2026-11-30h
# fails: ValueError: Found unknown categories ['tesla'] in column 0 during transform
# cause: a brand which is only in the test part is unknown to the OneHotEncoder fitted on train; it needs
#   handle_unknown="ignore".
# holds: len(preds) -> 4
# holds: ohe.handle_unknown -> 'ignore'
# holds: Xte.shape[1] == Xtr.shape[1] -> True
# holds: float(Xte[-1, :-1].sum()) -> 0.0

# %%
import pandas as pd, numpy as np
from sklearn.preprocessing import OneHotEncoder
from sklearn.linear_model import Ridge

# %%
np.random.seed(4)
train = pd.DataFrame({"brand": np.random.choice(["vw", "opel", "fiat"], 50), "km": np.random.randint(10, 200, 50) * 1000})
train["price"] = 15000 - train.km * 0.05 + train.brand.map({"vw": 2000, "opel": 500, "fiat": 0}) + np.random.randn(50) * 300
test = pd.DataFrame({"brand": ["vw", "fiat", "opel", "tesla"], "km": [90000, 20000, 150000, 60000]})
print(train.shape, test.shape)

# %%
ohe = OneHotEncoder(sparse_output=False)
Xtr = np.hstack([ohe.fit_transform(train[["brand"]]), train[["km"]]])
Xtr[:3]

# %% [repaired]
ohe = OneHotEncoder(sparse_output=False, handle_unknown="ignore")
Xtr = np.hstack([ohe.fit_transform(train[["brand"]]), train[["km"]]])
Xtr[:3]

# %%
reg = Ridge().fit(Xtr, train["price"])
reg.score(Xtr, train["price"])

# %%
Xte = np.hstack([ohe.transform(test[["brand"]]), test[["km"]]])
preds = reg.predict(Xte)

# %%
test.assign(price=preds.round())
