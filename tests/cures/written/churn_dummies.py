# group: data
# seen: 2026-11-29b
# fails: ValueError: The feature names should match those that were passed during fit.
# cause: get_dummies is called on train and on new customers apart; the new ones have other plans, so other columns.
# holds: Xn.shape -> (3, 5)
# holds: list(Xn.columns) == list(Xt.columns) -> True
# holds: [int(v) for v in new["churn_pred"]] -> [1, 0, 0]

# %%
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

# %%
cust = pd.DataFrame({
    "months": [1, 2, 30, 28, 3, 40, 2, 35],
    "calls": [5, 4, 1, 0, 6, 2, 3, 1],
    "plan": ["basic", "pro", "basic", "team", "team", "pro", "basic", "team"],
    "churn": [1, 1, 0, 0, 1, 0, 1, 0],
})
cust.groupby("plan")["churn"].mean()

# %%
Xt = pd.get_dummies(cust.drop(columns="churn"))
tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(Xt, cust["churn"])
print(tree.score(Xt, cust["churn"]))

# %%
new = pd.DataFrame({"months": [2, 50, 33], "calls": [5, 1, 1], "plan": ["pro", "basic", "student"]})
Xn = pd.get_dummies(new)
Xn

# %% [repaired]
new = pd.DataFrame({"months": [2, 50, 33], "calls": [5, 1, 1], "plan": ["pro", "basic", "student"]})
Xn = pd.get_dummies(new).reindex(columns=Xt.columns, fill_value=0)
Xn

# %%
new["churn_pred"] = tree.predict(Xn)
new
