# group: data
# seen: 2026-11-29b
# fails: TypeError: 'str' object is not callable
# cause: the first plot says plt.ylabel = "kWh" (an assignment instead of a call), which replaces the function for the rest of the session.
# holds: callable(plt.ylabel) -> True
# holds: ax1.get_ylabel() -> 'kWh'
# holds: ax2.get_ylabel() -> 'euro'

# %%
import matplotlib.pyplot as plt
import numpy as np

months = np.arange(1, 13)
use = 300 + 120 * np.cos((months - 1) / 12 * 2 * np.pi)
cost = use * 0.31

# %%
plt.figure(figsize=(6, 3))
plt.bar(months, use)
plt.ylabel = "kWh"
plt.xlabel("month")
ax1 = plt.gca()
plt.show()

# %% [repaired]
plt.figure(figsize=(6, 3))
plt.bar(months, use)
plt.ylabel("kWh")
plt.xlabel("month")
ax1 = plt.gca()
plt.show()

# %%
print("year total %.0f kWh" % use.sum())

# %%
plt.figure(figsize=(6, 3))
plt.plot(months, cost, "o-")
plt.xlabel("month")
plt.ylabel("euro")
ax2 = plt.gca()
plt.show()

# %%
print("dearest month:", months[cost.argmax()], f"{cost.max():.2f}")
