# group: data
# seen: 2026-11-30h
# fails: AttributeError: 'numpy.ndarray' object has no attribute 'plot'
# cause: plt.subplots(2, 2) gives a 2x2 array of axes, so axes[i] is a row of axes and not one; iterate over axes.flat.
# holds: [a.get_title() for a in fig.axes] -> ['sin', 'cos', 'sin2', 'damped']
# holds: [len(a.lines) for a in fig.axes] -> [1, 1, 1, 1]

# %%
import numpy as np
import matplotlib.pyplot as plt

# %%
x = np.linspace(0, 2 * np.pi, 100)
curves = {"sin": np.sin(x), "cos": np.cos(x), "sin2": np.sin(2 * x), "damped": np.exp(-x) * np.cos(3 * x)}

# %%
plt.plot(x, curves["sin"])
plt.show()

# %%
fig, axes = plt.subplots(2, 2, figsize=(8, 6), sharex=True)
for i, (name, yv) in enumerate(curves.items()):
    axes[i].plot(x, yv)
    axes[i].set_title(name)
plt.tight_layout()
plt.show()

# %% [repaired]
fig, axes = plt.subplots(2, 2, figsize=(8, 6), sharex=True)
for ax, (name, yv) in zip(axes.flat, curves.items()):
    ax.plot(x, yv)
    ax.set_title(name)
plt.tight_layout()
plt.show()

# %%
peak = {k: float(v.max()) for k, v in curves.items()}
peak
