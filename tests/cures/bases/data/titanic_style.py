# library: pandas
# needs: numpy, pandas
# compare: survival, age_bins, titles

# %%
import numpy as np
import pandas as pd

# %%
rs = np.random.RandomState(1912)
surnames = ["Braund", "Cumings", "Heikkinen", "Allen", "Moran", "McCarthy", "Palsson", "Nasser"]
honorifics = np.array(["Mr.", "Mrs.", "Miss.", "Master."])
k = 180
passengers = pd.DataFrame()
passengers["PassengerId"] = np.arange(k) + 1
passengers["Pclass"] = rs.choice([1, 2, 3], size=k, p=[.25, .2, .55])
t = rs.choice(honorifics, size=k, p=[.58, .17, .2, .05])
passengers["Name"] = [f"{s}, {h} {chr(65 + i % 26)}." for i, (s, h) in enumerate(zip(rs.choice(surnames, k), t))]
passengers["Sex"] = np.where(np.isin(t, ["Mr.", "Master."]), "male", "female")
passengers["Age"] = np.clip(rs.normal(30, 13, k), 0.5, 75).round(1)
passengers.loc[rs.rand(k) < .2, "Age"] = np.nan
passengers["Fare"] = (rs.exponential(20, k) / passengers["Pclass"] * 2).round(2)
passengers["Survived"] = (rs.rand(k) < np.where(passengers["Sex"] == "female", .74, .19)).astype(int)
passengers.to_csv("train.csv", index=False)

# %%
train = pd.read_csv("train.csv")
train.head(10)

# %%
train.info()

# %%
train["Title"] = train["Name"].str.extract(r",\s*(\w+)\.", expand=False)
titles = train["Title"].value_counts()
titles

# %%
# fill the ages with the median of people with the same title
train["Age"] = train.groupby("Title")["Age"].transform(lambda s: s.fillna(s.median()))
train["Age"].isna().sum()

# %%
bins = [0, 12, 18, 40, 60, 100]
labels = ["child", "teen", "adult", "middle", "senior"]
train["AgeGroup"] = pd.cut(train["Age"], bins=bins, labels=labels)
age_bins = train["AgeGroup"].value_counts().to_dict()
age_bins

# %%
survival = pd.crosstab(train["Pclass"], train["Sex"], values=train["Survived"], aggfunc="mean").round(3)
survival

# %%
train.drop(["Name", "PassengerId"], axis=1, inplace=True)
train.to_csv("train_clean.csv", index=False)
print(train.columns.tolist())

