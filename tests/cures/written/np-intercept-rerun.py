# group: data
# seen: 2026-11-28
# fails: ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 4 is different from 5)
# order: 1, 2, 3, 4, 3, 5
# again: 1, 2, 3, 4, 3, 5, 6
# cause: The design-matrix cell adds a column of ones to X in place of X; run twice, X has 5 columns (two
#   intercepts) while theta of cell 4 has 4 values.
# holds: pred.shape -> (300,)
# holds: len(theta) -> 4
# holds: [round(float(v),2) for v in theta] -> [4.28, 4.24, -5.89, 1.45]

# %%
import numpy as np
rng = np.random.default_rng(2)

# %%
m = 300
raw = rng.uniform(0, 10, size=(m, 3))
target = 4 + raw @ np.array([1.5, -2.0, .5]) + rng.normal(0, .3, m)
X = raw

# %%
# standardise + intercept column
X = (X - X.mean(axis=0)) / (X.std(axis=0) + 1e-9)
X = np.c_[np.ones(len(X)), X]
print(X.shape)

# %% [repaired]
# standardise + intercept column
X = (raw - raw.mean(axis=0)) / (raw.std(axis=0) + 1e-9)
X = np.c_[np.ones(len(X)), X]
print(X.shape)

# %%
theta = np.zeros(4)
alpha, n_iter = 0.1, 500

# %%
history = []
for it in range(n_iter):
    err = X @ theta - target
    theta = theta - alpha * X.T @ err / m
    history.append((err ** 2).mean() / 2)
print(theta.round(3))

# %%
pred = X @ theta
print("R2 =", 1 - ((target - pred) ** 2).sum() / ((target - target.mean()) ** 2).sum())
