# group: data
# seen: 2026-11-30g
# fails: TypeError: only 0-dimensional arrays can be converted to Python scalars
# cause: math.exp works on single numbers, but curve_fit passes the whole x array to the model; np.exp is meant.
# holds: len(popt) -> 3
# holds: [round(float(p)) for p in popt[[0, 2]]] -> [70, 20]
# holds: round(float(popt[1]), 2) -> 0.08

# %%
import math
import numpy as np
from scipy.optimize import curve_fit
import matplotlib.pyplot as plt

# %%
np.random.seed(5)
minutes = np.linspace(0, 60, 40)
temp = 70 * np.exp(-0.08 * minutes) + 20 + np.random.normal(0, 0.3, minutes.size)
plt.plot(minutes, temp, "k.")
plt.xlabel("min"); plt.ylabel("°C")
plt.show()

# %%
def newton(t, a, k, c):
    return a * math.exp(-k * t) + c

# works:
print(newton(3.0, 70, 0.1, 20))

# %% [repaired]
def newton(t, a, k, c):
    return a * np.exp(-k * t) + c

# works:
print(newton(3.0, 70, 0.1, 20))

# %%
popt, pcov = curve_fit(newton, minutes, temp, p0=[60, 0.05, 15])
print(popt)

# %%
plt.plot(minutes, temp, "k.", minutes, newton(minutes, *popt), "r-")
plt.show()
