# group: data
# seen: 2026-11-29c
# fails: ValueError: The user-provided objective function must return a scalar value.
# cause: the cost function returns the vector of residuals; minimize() wants one number, the sum of their squares.
# holds: np.round(opt.x[0]).item() -> 86.0
# holds: round(float(opt.x[1]), 2) -> 0.08
# holds: bool(np.isscalar(cost(opt.x))) -> True

# %%
import numpy as np
from scipy.optimize import minimize
import matplotlib.pyplot as plt

# %%
# cup of tea, measured every 2 minutes
t = np.arange(0, 40, 2.0)
np.random.seed(0)
temp = 21 + 64 * np.exp(-0.08 * t) + np.random.normal(0, 0.4, t.size)

# %%
def newton(t, start, k, room=21):
    return room + (start - room) * np.exp(-k * t)

def cost(p):
    start, k = p
    return temp - newton(t, start, k)

# %% [repaired]
def newton(t, start, k, room=21):
    return room + (start - room) * np.exp(-k * t)

def cost(p):
    start, k = p
    return np.sum((temp - newton(t, start, k)) ** 2)

# %%
plt.plot(t, temp, "o")
plt.plot(t, newton(t, 80, 0.05), "--", label="first guess")
plt.legend(); plt.show()

# %%
opt = minimize(cost, x0=[80, 0.05], method="Nelder-Mead")
opt.message

# %%
start_hat, k_hat = opt.x
print(f"start {start_hat:.1f} deg, k = {k_hat:.3f} per minute")
