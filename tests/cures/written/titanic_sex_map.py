# group: data
# seen: 2026-11-30g
# fails: ValueError: Input X contains NaN.
# cause: the cell which maps the words to 0/1 was run twice; the second time no value is found in the dict and the whole column becomes NaN.
# order: 1, 2, 3, 3, 4, 5
# again: 1, 2, 3, 4, 5
# holds: sorted(df["Sex"].unique().tolist()) -> [0, 1]
# holds: int(X.isna().sum().sum()) -> 0
# holds: int(df["Sex"].sum()) -> 33

# %%
import pandas as pd
import numpy as np
from sklearn.linear_model import LogisticRegression

# %%
np.random.seed(4)
df = pd.DataFrame({
    "Sex": np.random.choice(["male", "female"], 80, p=[.6, .4]),
    "Fare": np.random.gamma(2, 20, 80).round(2),
})
df["Survived"] = (np.random.rand(80) < np.where(df.Sex == "female", .8, .2)).astype(int)
df.head()

# %%
df["Sex"] = df["Sex"].map({"male": 0, "female": 1})

# %%
X = df[["Sex", "Fare"]]
y = df["Survived"]
print(X.shape)

# %%
logreg = LogisticRegression()
logreg.fit(X, y)
print(logreg.score(X, y))
