# library: scikit-learn
# needs: numpy, pandas, sklearn
# compare: score_rf, score_gb, imp, wrong_rows

# %%
import pandas as pd
import numpy as np
rng = np.random.default_rng(1234)
df = pd.DataFrame({"sepal": rng.normal(5.8, .8, 150).round(1), "petal": rng.normal(3.7, 1.7, 150).round(1), "site": rng.choice(["A", "B", "C"], 150)})
df["kind"] = np.select([df.petal < 2.5, df.petal < 4.8], ["small", "medium"], "large")
df.loc[[3, 77], "sepal"] = np.nan
df.to_csv("flowers.csv")

# %%
from sklearn.ensemble import RandomForestClassifier, GradientBoostingClassifier
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import LabelEncoder

df = pd.read_csv("flowers.csv", index_col=0)
print(df.shape)
print(df.isna().sum())
df["sepal"] = df["sepal"].fillna(df["sepal"].mean())
df = df.join(pd.get_dummies(df.pop("site"), prefix="site"))
enc = LabelEncoder()
y = enc.fit_transform(df["kind"])
X = df.drop("kind", axis=1)
Xtr, Xte, ytr, yte = train_test_split(X, y, test_size=40, random_state=3)
rf = RandomForestClassifier(n_estimators=25, max_features="sqrt", min_samples_leaf=2, random_state=3)
rf.fit(Xtr, ytr)
gb = GradientBoostingClassifier(n_estimators=10, learning_rate=0.2, random_state=3)
gb.fit(Xtr, ytr)
score_rf = rf.score(Xte, yte)
score_gb = gb.score(Xte, yte)
print("random forest", score_rf, "boosting", score_gb)
imp = pd.DataFrame({"feature": X.columns, "importance": rf.feature_importances_.round(4)}).sort_values("importance", ascending=False)
imp.head()

# %%
pred = enc.inverse_transform(gb.predict(Xte))
wrong_rows = Xte[pred != enc.inverse_transform(yte)].index.tolist()
df.loc[wrong_rows]

