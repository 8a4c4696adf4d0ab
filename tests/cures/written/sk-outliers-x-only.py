# group: data
# seen: 2026-11-28
# fails: ValueError: Found input variables with inconsistent numbers of samples: [313, 353]
# cause: Cell 4 drops outlier rows from X_train but not from y_train.
# holds: len(X_train) == len(y_train) -> True
# holds: len(X_train) -> 313
# holds: round(float(score),3) -> 0.51

# %%
import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LassoCV
from sklearn.model_selection import train_test_split

# %%
data = load_diabetes(as_frame=True, scaled=False)
X, y = data.data, data.target
X.boxplot(figsize=(9, 3), rot=45);

# %%
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=.2, random_state=10)

# %%
# outliers out of the training part (z-score)
z = (X_train - X_train.mean()) / X_train.std()
keep = (z.abs() < 2.5).all(axis=1)
X_train = X_train[keep]
print("dropped", (~keep).sum(), "rows")

# %% [repaired]
# outliers out of the training part (z-score)
z = (X_train - X_train.mean()) / X_train.std()
keep = (z.abs() < 2.5).all(axis=1)
X_train = X_train[keep]
y_train = y_train[keep]
print("dropped", (~keep).sum(), "rows")

# %%
mu, sd = X_train.mean(), X_train.std()
X_train, X_test = (X_train - mu) / sd, (X_test - mu) / sd

# %%
lasso = LassoCV(cv=5, random_state=0)
lasso.fit(X_train, y_train)

# %%
score = lasso.score(X_test, y_test)
print("R2", round(score, 3)); print(pd.Series(lasso.coef_, X.columns).round(1))
