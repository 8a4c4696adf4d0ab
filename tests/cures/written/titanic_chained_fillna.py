# group: data
# seen: 2026-11-29e
# fails: ValueError: Input X contains NaN.
# cause: fillna with inplace on df["age"] works on a copy (copy-on-write in pandas 3), so the NaN stay; assign the result.
# holds: int(df["age"].isna().sum()) -> 0
# holds: float(df["age"].iloc[1]) -> 35.0
# holds: clf.n_features_in_ -> 2

# %%
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

# %%
df = pd.DataFrame({
    "age": [22, np.nan, 35, 58, np.nan, 4, 27, 41, np.nan, 63],
    "fare": [7.2, 71.3, 8.1, 26.5, 8.4, 16.7, 11.1, 30.1, 7.9, 10.5],
    "survived": [0, 1, 0, 1, 0, 1, 1, 0, 0, 0],
})
df.isna().sum()

# %%
med = df["age"].median()
df["age"].fillna(med, inplace=True)

# %% [repaired]
med = df["age"].median()
df["age"] = df["age"].fillna(med)

# %%
X = df[["age", "fare"]]
y = df["survived"]
X.shape

# %%
clf = LogisticRegression().fit(X, y)
print(clf.coef_.round(3))

# %%
print("train acc", clf.score(X, y))
