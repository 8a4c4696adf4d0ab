# library: scikit-learn
# needs: numpy, pandas, sklearn
# compare: report_dict, best_params, threshold

# %%
import pandas as pd
import numpy as np
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.metrics import classification_report, precision_recall_curve
from sklearn.model_selection import RandomizedSearchCV, train_test_split
from sklearn.pipeline import make_pipeline

# %%
rng = np.random.default_rng(1994)
n = 300
adult = pd.DataFrame({
    "age": rng.integers(17, 80, n),
    "workclass": rng.choice(["Private", "Self-emp", "Gov", " ?"], n, p=[.6, .15, .15, .1]),
    "education_num": rng.integers(5, 17, n),
    "marital_status": rng.choice(["Married", "Never-married", "Divorced"], n),
    "hours_per_week": rng.integers(15, 70, n),
})
z = 0.4 * (adult.education_num - 10) + 0.05 * (adult.hours_per_week - 40) + (adult.marital_status == "Married")
adult["income"] = np.where(z + rng.normal(0, 1, n) > 0.8, ">50K", "<=50K")
adult.to_csv("adult.data", header=False, index=False)

# %%
columns = ["age", "workclass", "education_num", "marital_status", "hours_per_week", "income"]
df = pd.read_csv("adult.data", names=columns, na_values="?", skipinitialspace=True)
df.isna().sum()

# %%
df = df.dropna()
df["income"] = (df["income"] == ">50K").astype(int)
df["income"].mean()

# %%
X = pd.get_dummies(df.drop("income", axis=1))
y = df["income"].values
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=3)
X_train.shape

# %%
pipe = make_pipeline(SelectKBest(f_classif, k=5), GradientBoostingClassifier(n_estimators=20, random_state=3))
search = RandomizedSearchCV(
    pipe,
    {"selectkbest__k": [3, 5, 8], "gradientboostingclassifier__max_depth": [1, 2, 3]},
    n_iter=4, cv=3, random_state=3, scoring="f1",
)
search.fit(X_train, y_train)
best_params = search.best_params_
best_params

# %%
pred = search.predict(X_test)
report_dict = classification_report(y_test, pred, output_dict=True)
print(classification_report(y_test, pred, target_names=["<=50K", ">50K"]))

# %%
prob = search.predict_proba(X_test)[:, 1]
precision, recall, thresholds = precision_recall_curve(y_test, prob)
f = 2 * precision * recall / (precision + recall + 1e-9)
threshold = thresholds[np.argmax(f[:-1])]
print(round(threshold, 3))

