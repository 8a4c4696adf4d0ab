# library: scikit-learn
# needs: numpy, pandas, sklearn
# compare: acc_scores, submission, missing_left

# %%
import pandas as pd
import numpy as np
from sklearn.preprocessing import LabelEncoder
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.metrics import accuracy_score
import warnings
warnings.filterwarnings("ignore")

# %%
# create train and test files
np.random.seed(100)
def make(n, with_target):
    d = pd.DataFrame()
    d["Loan_ID"] = ["LP%05d" % i for i in np.random.permutation(90000)[:n]]
    d["Gender"] = np.random.choice(["Male", "Female", np.nan], n, p=[.75, .2, .05])
    d["Married"] = np.random.choice(["Yes", "No"], n)
    d["Dependents"] = np.random.choice(["0", "1", "2", "3+"], n)
    d["ApplicantIncome"] = np.random.randint(1500, 12000, n)
    d["LoanAmount"] = np.where(np.random.rand(n) < .05, np.nan, np.random.randint(50, 400, n))
    d["Credit_History"] = np.random.choice([1.0, 0.0, np.nan], n, p=[.75, .15, .1])
    if with_target:
        d["Loan_Status"] = np.where((d["Credit_History"] != 0) & (np.random.rand(n) < .85), "Y", "N")
    return d
make(200, True).to_csv("train.csv", index=False)
make(30, False).to_csv("test.csv", index=False)

# %%
train = pd.read_csv("train.csv")
test = pd.read_csv("test.csv")
print(train.shape, test.shape)
train.head()

# %%
train["Loan_Status"].value_counts()

# %%
for df in [train, test]:
    df["Gender"] = df["Gender"].fillna(df["Gender"].mode()[0])
    df["LoanAmount"] = df["LoanAmount"].fillna(df["LoanAmount"].median())
    df["Credit_History"] = df["Credit_History"].fillna(1.0)
    df["Dependents"] = df["Dependents"].str.replace("+", "", regex=False).astype(int)
missing_left = int(train.isnull().sum().sum() + test.isnull().sum().sum())
missing_left

# %%
le = LabelEncoder()
for col in ["Gender", "Married"]:
    train[col] = le.fit_transform(train[col])
    test[col] = le.transform(test[col])
train["Loan_Status"] = train["Loan_Status"].replace({"Y": 1, "N": 0}).astype(int)
train.head()

# %%
X = train.drop(["Loan_ID", "Loan_Status"], axis=1)
y = train["Loan_Status"]
x_train, x_val, y_train, y_val = train_test_split(X, y, test_size=0.25, random_state=0)

# %%
acc_scores = []
for model in [LogisticRegression(solver="liblinear"), DecisionTreeClassifier(max_depth=3, random_state=0), RandomForestClassifier(n_estimators=20, random_state=0)]:
    model.fit(x_train, y_train)
    pred = model.predict(x_val)
    acc = accuracy_score(y_val, pred) * 100
    acc_scores.append(round(acc, 2))
    print(model.__class__.__name__, acc)

# %%
final_pred = model.predict(test.drop("Loan_ID", axis=1))
submission = pd.DataFrame({"Loan_ID": test["Loan_ID"], "Loan_Status": final_pred})
submission["Loan_Status"] = submission["Loan_Status"].map({1: "Y", 0: "N"})
submission.to_csv("submission.csv", index=False)
submission.head()

