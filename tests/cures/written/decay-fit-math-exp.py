# group: data
# seen: 2026-11-30h
# fails: TypeError: only 0-dimensional arrays can be converted to Python scalars
# cause: curve_fit calls the model with the whole x array, and math.exp takes only single numbers; np.exp is needed.
# holds: len(popt) -> 3
# holds: bool(abs(popt[1] - 0.45) < 0.05) -> True
# holds: fitted.shape -> (40,)

# %% [markdown]
# Lab 3: discharge of a capacitor, fit U(t) = a * exp(-b t) + c

# %%
import math
import numpy as np
from scipy.optimize import curve_fit
import matplotlib.pyplot as plt

# %%
np.random.seed(6)
t = np.linspace(0, 10, 40)
U = 9.0 * np.exp(-0.45 * t) + 0.3 + 0.05 * np.random.randn(40)
plt.plot(t, U, "x")
plt.show()

# %%
def func(x, a, b, c):
    return a * math.exp(-b * x) + c

# %% [repaired]
def func(x, a, b, c):
    return a * np.exp(-b * x) + c

# %%
func(0, 9, 0.5, 0)   # should be 9

# %%
popt, pcov = curve_fit(func, t, U, p0=(5, 0.3, 0))
popt

# %%
fitted = func(t, *popt)
plt.plot(t, U, "x", label="measured")
plt.plot(t, fitted, label="a=%.2f b=%.2f c=%.2f" % tuple(popt))
plt.legend(); plt.show()
print("tau =", 1 / popt[1], "+-", np.sqrt(pcov[1, 1]) / popt[1] ** 2)
