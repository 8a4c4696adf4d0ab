# group: data
# seen: 2026-11-28
# fails: AttributeError: module 'numpy' has no attribute 'trapz'
# cause: np.trapz was removed (NumPy 2.4); energy() in cell 2 uses it.
# holds: round(float(e_total),3) -> 2923.126
# holds: [round(float(v),2) for v in per_hour] -> [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 50.35, 149.32, 238.11, 310.67, 362.06, 256.13, 389.0, 362.72, 311.71, 239.46, 150.9, 52.05, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]

# %% [markdown]
# # Solar panel: energy of one day

# %%
import numpy as np
import matplotlib.pyplot as plt

# %%
def energy(t, power):
    """energy in Wh, t in s, power in W"""
    return np.trapz(power, t) / 3600

# %% [repaired]
def energy(t, power):
    """energy in Wh, t in s, power in W"""
    return np.trapezoid(power, t) / 3600

# %%
t = np.arange(0, 24 * 3600, 60)
hours = t / 3600
power = np.clip(400 * np.sin((hours - 6) / 12 * np.pi), 0, None)
power[(hours > 11) & (hours < 11.5)] *= 0.3     # a cloud

# %%
plt.figure(figsize=(7, 2.5))
plt.plot(hours, power)
plt.xlabel("hour"); plt.ylabel("W");

# %%
e_total = energy(t, power)
print(f"{e_total:.1f} Wh")

# %%
per_hour = [energy(t[(hours >= h) & (hours < h + 1)], power[(hours >= h) & (hours < h + 1)]) for h in range(24)]
print(np.round(per_hour, 1))
