# group: data
# seen: 2026-11-28
# fails: AttributeError: 'numpy.ndarray' object has no attribute 'hist'
# cause: plt.subplots(2, 3) gives a 2-D array of axes; axes[i] is a row, not an axes (made in cell 4, used in the
#   drawing helper of cell 3).
# holds: len(fig.axes) -> 6
# holds: [a.get_title() for a in fig.axes] -> ['alcohol', 'malic_acid', 'ash', 'magnesium', 'hue', 'proline']
# holds: all(len(a.patches) > 0 for a in fig.axes) -> True

# %%
import numpy as np, pandas as pd
import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
%matplotlib inline

# %%
wine = load_wine(as_frame=True).frame
cols = ["alcohol", "malic_acid", "ash", "magnesium", "hue", "proline"]
wine[cols].describe().T

# %%
def draw_hists(frame, cols, axes, by="target"):
    for i, c in enumerate(cols):
        for k, g in frame.groupby(by):
            axes[i].hist(g[c], bins=15, alpha=.5, label=f"class {k}")
        axes[i].set_title(c)

# %% [repaired]
def draw_hists(frame, cols, axes, by="target"):
    axes = np.ravel(axes)
    for i, c in enumerate(cols):
        for k, g in frame.groupby(by):
            axes[i].hist(g[c], bins=15, alpha=.5, label=f"class {k}")
        axes[i].set_title(c)

# %%
fig, axes = plt.subplots(2, 3, figsize=(10, 5))
fig.subplots_adjust(hspace=.4)

# %%
draw_hists(wine, cols, axes)

# %%
wine[cols].corr().round(2)
