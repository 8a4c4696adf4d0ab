# group: data
# seen: 2026-11-30g
# fails: ValueError: Specifying the columns using strings is only supported for dataframes.
# cause: the imputer gives back a NumPy array, so the ColumnTransformer behind it cannot find columns by name; the imputer should
#   keep the DataFrame (set_output).
# holds: pipe[:-1].transform(X).shape -> (120, 4)
# holds: float(pipe.score(X, y)) > 0.8 -> True

# %%
import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

# %%
rng = np.random.RandomState(8)
X = pd.DataFrame({"age": rng.randint(18, 80, 120).astype(float), "plan": rng.choice(["basic", "pro", "team"], 120)})
y = (X["age"] > 50).astype(int)
X.loc[rng.choice(120, 10, replace=False), "age"] = np.nan
X.isna().sum()

# %%
impute = SimpleImputer(strategy="most_frequent")
prep = ColumnTransformer([
    ("num", StandardScaler(), ["age"]),
    ("cat", OneHotEncoder(), ["plan"]),
])

# %% [repaired]
impute = SimpleImputer(strategy="most_frequent").set_output(transform="pandas")
prep = ColumnTransformer([
    ("num", StandardScaler(), ["age"]),
    ("cat", OneHotEncoder(), ["plan"]),
])

# %%
pipe = Pipeline([("impute", impute), ("prep", prep), ("clf", LogisticRegression())])
pipe.fit(X, y)

# %%
print("train accuracy", round(pipe.score(X, y), 3))
