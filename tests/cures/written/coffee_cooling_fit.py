# group: data
# seen: 2026-11-30f
# fails: TypeError: cooling() takes 3 positional arguments but 4 were given
# cause: the start values still hold a third entry (the room temperature) from an older version, while cooling() has only two free parameters now.
# holds: len(popt) -> 2
# holds: round(float(popt[1]), 3) -> 0.041
# holds: bool(abs(popt[0] - 88) < 2) -> True

# %%
import numpy as np
from scipy.optimize import curve_fit
import matplotlib.pyplot as plt

# %%
# room temperature was measured with the good thermometer -> fixed
ROOM = 21.3
start = [90, 0.03, 20]     # T0, k, room

# %% [repaired]
# room temperature was measured with the good thermometer -> fixed
ROOM = 21.3
start = [90, 0.03]     # T0, k

# %%
rng = np.random.default_rng(6)
minutes = np.arange(0, 60, 2.0)
temp = ROOM + (88 - ROOM) * np.exp(-0.041 * minutes) + rng.normal(0, .5, minutes.size)

# %%
def cooling(t, T0, k):
    return ROOM + (T0 - ROOM) * np.exp(-k * t)

plt.plot(minutes, temp, "o")
plt.plot(minutes, cooling(minutes, 90, .03), "--")
plt.show()

# %%
popt, pcov = curve_fit(cooling, minutes, temp, p0=start)
print("T0 = %.1f  k = %.3f" % tuple(popt))

# %%
resid = temp - cooling(minutes, *popt)
print("rmse", np.sqrt((resid ** 2).mean()))
