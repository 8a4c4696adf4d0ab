# group: data
# seen: 2026-11-29b
# fails: ValueError: Found input variables with inconsistent numbers of samples: [150, 50]
# cause: train_test_split returns X_train, X_test, y_train, y_test; the four are unpacked in another order.
# holds: X_train.shape -> (150, 4)
# holds: y_test.shape -> (50,)
# holds: bool(score > 0.95) -> True

# %%
import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.linear_model import LinearRegression

# %%
rs = np.random.RandomState(3)
X = rs.normal(size=(200, 4))
w = np.array([2., -1., 0.5, 3.])
y = X @ w + rs.normal(scale=0.1, size=200)
print(X.shape, y.shape)

# %%
X_train, y_train, X_test, y_test = train_test_split(X, y, test_size=0.25, random_state=42)

# %% [repaired]
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, random_state=42)

# %%
reg = LinearRegression()
reg.fit(X_train, y_train)
reg.coef_

# %%
score = reg.score(X_test, y_test)
print("R2 on test data", score)
