# library: xgboost
# needs: numpy, pandas, sklearn, xgboost
# compare: cv_scores, best_iter, matrix

# %%
import pandas as pd
import numpy as np
from xgboost import XGBClassifier
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import StratifiedKFold, train_test_split

# %%
cancer = load_breast_cancer()
df = pd.DataFrame(cancer.data, columns=cancer.feature_names)
df["diagnosis"] = cancer.target
df.shape

# %%
df.groupby("diagnosis")[["mean radius", "mean texture"]].mean().round(2)

# %%
X = df.drop(columns="diagnosis")
y = df["diagnosis"]
X.columns = [c.replace(" ", "_") for c in X.columns]
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=8, stratify=y)

# %%
cv_scores = []
skf = StratifiedKFold(n_splits=3, shuffle=True, random_state=8)
for fold, (tr_idx, va_idx) in enumerate(skf.split(X_train, y_train)):
    m = XGBClassifier(n_estimators=20, max_depth=3, learning_rate=0.3, n_jobs=1, random_state=8)
    m.fit(X_train.iloc[tr_idx], y_train.iloc[tr_idx])
    s = m.score(X_train.iloc[va_idx], y_train.iloc[va_idx])
    print(f"fold {fold}: {s:.3f}")
    cv_scores.append(round(s, 4))

# %%
final = XGBClassifier(n_estimators=60, early_stopping_rounds=5, eval_metric="logloss", n_jobs=1, random_state=8)
final.fit(X_train, y_train, eval_set=[(X_test, y_test)], verbose=False)
best_iter = final.best_iteration
matrix = confusion_matrix(y_test, final.predict(X_test))
matrix

# %%
final.save_model("cancer.json")
restored = XGBClassifier()
restored.load_model("cancer.json")
(restored.predict(X_test) == final.predict(X_test)).all()

