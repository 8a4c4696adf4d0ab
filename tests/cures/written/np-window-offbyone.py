# group: data
# seen: 2026-11-29
# fails: LinAlgError: Incompatible dimensions
# cause: make_windows builds one window more than there are targets (n - window + 1 windows, targets from
#   series[window:]), so X and y differ by one row in lstsq.
# holds: len(y) -> 376
# holds: len(pred) -> 376
# holds: round(float(rmse),3) -> 0.398
# holds: [round(float(c),3) for c in coef[:3]] -> [11.346, 0.178, 0.094]

# %%
import numpy as np
rng = np.random.default_rng(0)

# %%
t = np.arange(400)
series = 10 + 3 * np.sin(2 * np.pi * t / 24) + rng.normal(0, .4, t.size)

# %%
def make_windows(series, window):
    """X[i] = the `window` values before y[i]"""
    n_win = len(series) - window + 1
    X = np.stack([series[i:i + window] for i in range(n_win)])
    y = series[window:]
    return X, y

# %% [repaired]
def make_windows(series, window):
    """X[i] = the `window` values before y[i]"""
    n_win = len(series) - window
    X = np.stack([series[i:i + window] for i in range(n_win)])
    y = series[window:]
    return X, y

# %%
WINDOW = 24
X, y = make_windows(series, WINDOW)
print(X[:2].round(1))

# %%
# linear autoregression
A = np.column_stack([np.ones(len(X)), X])
coef, *_ = np.linalg.lstsq(A, y, rcond=None)

# %%
pred = A @ coef
rmse = np.sqrt(np.mean((pred - y) ** 2))
print("rmse", rmse.round(3))
