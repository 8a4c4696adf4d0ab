# group: data
# seen: 2026-11-29b
# fails: TypeError: cooling() missing 2 required positional arguments: 'k' and 'env'
# cause: popt is one array, the model wants its three parameters apart: cooling(t, *popt).
# holds: [round(float(p), 2) for p in popt] -> [60.0, 0.15, 21.0]
# holds: bool(np.abs(resid).max() < 1e-4) -> True
# holds: fitted.shape -> (25,)

# %%
import numpy as np
import matplotlib.pyplot as plt
from scipy.optimize import curve_fit

# %%
def cooling(t, dT, k, env):
    return env + dT * np.exp(-k * t)

t = np.linspace(0, 30, 25)
temp = cooling(t, 60, 0.15, 21)

# %%
popt, pcov = curve_fit(cooling, t, temp, p0=[50, 0.1, 20])
print("parameters:", popt.round(3))

# %%
fitted = cooling(t, popt)
plt.plot(t, temp, "k.", t, fitted, "r-")
plt.xlabel("minutes"); plt.ylabel("deg C")
plt.show()

# %% [repaired]
fitted = cooling(t, *popt)
plt.plot(t, temp, "k.", t, fitted, "r-")
plt.xlabel("minutes"); plt.ylabel("deg C")
plt.show()

# %%
resid = temp - fitted
print("largest residual", np.abs(resid).max())
