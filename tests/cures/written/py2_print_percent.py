# group: data
# seen: 2026-11-30g
# fails: TypeError: unsupported operand type(s) for %: 'NoneType' and 'tuple'
# cause: the closing parenthesis of print comes before the %, so the formatting is applied to the None that print returns.
# holds: float(round(rmse, 3)) -> 0.182
# holds: len(pred) -> 12

# %% [markdown]
# Old course code (python 2), ported with search & replace

# %%
import numpy as np
from sklearn.linear_model import LinearRegression

# %%
x = np.arange(12, dtype=float).reshape(-1, 1)
y = np.array([1.1, 2.8, 5.3, 7.1, 8.7, 11.2, 12.9, 15.1, 16.8, 19.2, 21.1, 22.9])
lr = LinearRegression().fit(x, y)
print("slope", lr.coef_[0].round(3))

# %%
pred = lr.predict(x)
rmse = np.sqrt(np.mean((pred - y) ** 2))

# %%
print("RMSE on %d points: %.3f") % (len(y), rmse)

# %% [repaired]
print("RMSE on %d points: %.3f" % (len(y), rmse))

# %%
print("max residual", np.abs(pred - y).max().round(2))
