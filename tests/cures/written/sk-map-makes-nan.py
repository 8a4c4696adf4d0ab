# group: data
# seen: 2026-11-29
# fails: ValueError: Input X contains NaN.
# cause: The contract map of cell 4 has "Month-to-month" where the data say "month-to-month", so those rows become
#   NaN; LogisticRegression refuses NaN two cells later.
# holds: int(churn["contract"].isna().sum()) -> 0
# holds: len(X) -> 600
# holds: len(X_train) -> 450
# holds: churn["contract"].value_counts().sort_index().to_dict() -> {0: 315, 1: 179, 2: 106}

# %% [markdown]
# ## Churn baseline

# %%
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split

# %%
rng = np.random.default_rng(7)
n = 600
churn = pd.DataFrame({
    "tenure": rng.integers(1, 72, n),
    "contract": rng.choice(["month-to-month", "one year", "two year"], n, p=[.5, .3, .2]),
    "charges": rng.normal(65, 20, n).round(2),
})
p = 1 / (1 + np.exp(.06 * churn.tenure - .02 * churn.charges - (churn.contract == "month-to-month")))
churn["left"] = (rng.random(n) < p).astype(int)
churn.head()

# %%
churn["charges"] = churn["charges"].clip(18, 120)
churn.isna().sum().sum()

# %%
contract_years = {"Month-to-month": 0, "one year": 1, "two year": 2}
churn["contract"] = churn["contract"].map(contract_years)

# %% [repaired]
contract_years = {"month-to-month": 0, "one year": 1, "two year": 2}
churn["contract"] = churn["contract"].map(contract_years)

# %%
X = churn[["tenure", "contract", "charges"]]
y = churn["left"]
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=.25, stratify=y, random_state=0)

# %%
clf = LogisticRegression(max_iter=1000)
clf.fit(X_train, y_train)

# %%
print("AUC", round(roc_auc_score(y_test, clf.predict_proba(X_test)[:, 1]), 3))
