# group: data
# seen: 2026-11-28
# fails: IntCastingNaNError: Cannot convert non-finite values (NA or inf) to integer. Replace or remove non-finite values or cast to an integer type that supports these values (e.g. 'Int64')
# cause: train["Age"].fillna(..., inplace=True) works on a temporary copy under Copy-on-Write (pandas 3), so Age
#   keeps its NaNs and astype(int) fails later.
# holds: int(train["Age"].isna().sum()) -> 0
# holds: len(train) -> 300
# holds: int(train["Age"].sum()) -> 9172
# holds: int(train["Embarked"].isna().sum()) -> 0

# %% [markdown]
# # Titanic-like survival: cleaning
# from my 2021 kernel

# %%
import numpy as np
import pandas as pd
rs = np.random.RandomState(42)
N = 300
train = pd.DataFrame({
    "PassengerId": np.arange(1, N + 1),
    "Pclass": rs.choice([1, 2, 3], N, p=[.25, .2, .55]),
    "Sex": rs.choice(["male", "female"], N, p=[.65, .35]),
    "Age": np.where(rs.rand(N) < .2, np.nan, rs.normal(30, 13, N).clip(1, 80).round()),
    "Fare": rs.exponential(30, N).round(2),
    "Embarked": rs.choice(["S", "C", "Q"], N, p=[.7, .2, .1]),
})
train.isnull().sum()

# %%
train["Sex"] = train["Sex"].map({"male": 0, "female": 1})
train["Embarked"] = train["Embarked"].map({"S": 0, "C": 1, "Q": 2})

# %%
median_age = train["Age"].median()
train["Age"].fillna(median_age, inplace=True)
print("median age", median_age)

# %% [repaired]
median_age = train["Age"].median()
train["Age"] = train["Age"].fillna(median_age)
print("median age", median_age)

# %%
train["FareBand"] = pd.qcut(train["Fare"], 4, labels=[0, 1, 2, 3]).astype(int)

# %%
# age groups for the model
train["Age"] = train["Age"].astype(int)
train["AgeBand"] = pd.cut(train["Age"], [0, 12, 18, 35, 60, 120], labels=False)

# %%
train.groupby("AgeBand")["Fare"].mean()
