# library: scikit-learn
# needs: joblib, numpy, pandas, sklearn
# compare: auc, probs, same

# %%
import numpy as np
import pandas as pd
import joblib

from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

SEED = 17

# %%
gen = np.random.default_rng(SEED)
size = 350
credit = pd.DataFrame({
    "income": gen.lognormal(10.3, 0.4, size).round(0),
    "age": gen.integers(19, 78, size),
    "housing": gen.choice(["own", "rent", "free"], size),
    "purpose": gen.choice(["car", "furniture", "education", "repairs"], size),
    "months": gen.choice([6, 12, 24, 36, 48], size),
})
risk = 1.5 * (credit["housing"] == "rent") + credit["months"] / 24 - credit["income"] / 30000
credit["default"] = (risk + gen.normal(0, 0.6, size) > risk.median()).astype(int)
credit.loc[gen.choice(size, 25, replace=False), "income"] = np.nan
credit.to_csv("credit.csv", index=False)

# %%
df = pd.read_csv("credit.csv")
target = "default"
num_cols = ["income", "age", "months"]
cat_cols = ["housing", "purpose"]
df[num_cols].describe().round(1)

# %%
numeric = Pipeline([
    ("impute", SimpleImputer(strategy="median")),
    ("scale", StandardScaler()),
])
preprocess = ColumnTransformer([
    ("num", numeric, num_cols),
    ("cat", OneHotEncoder(handle_unknown="ignore"), cat_cols),
])
clf = Pipeline([
    ("prep", preprocess),
    ("forest", RandomForestClassifier(n_estimators=30, max_depth=5, random_state=SEED)),
])

# %%
X_tr, X_te, y_tr, y_te = train_test_split(
    df[num_cols + cat_cols], df[target], test_size=0.3, stratify=df[target], random_state=SEED
)
clf.fit(X_tr, y_tr)
clf

# %%
probs = clf.predict_proba(X_te)[:, 1]
auc = roc_auc_score(y_te, probs)
print(f"ROC AUC: {auc:.3f}")

# %%
names = clf.named_steps["prep"].get_feature_names_out()
importances = pd.Series(clf["forest"].feature_importances_, index=names)
importances.sort_values(ascending=False).head(5)

# %%
joblib.dump(clf, "credit_model.joblib")
again = joblib.load("credit_model.joblib")
same = bool(np.allclose(again.predict_proba(X_te)[:, 1], probs))
same

