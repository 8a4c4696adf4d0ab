# group: data
# seen: 2026-11-28
# fails: AttributeError: module 'matplotlib.cm' has no attribute 'get_cmap'
# cause: matplotlib.cm.get_cmap was removed (3.9); class_colors() in cell 2 calls it.
# holds: len(colors) -> 6
# holds: len(ax.collections) -> 6
# holds: all(len(c) == 4 for c in colors) -> True

# %% [markdown]
# PCA map of the digits

# %%
import numpy as np
import matplotlib.pyplot as plt
from matplotlib import cm
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

# %%
def class_colors(n, name="viridis"):
    cmap = cm.get_cmap(name, n)
    return [cmap(i) for i in range(n)]

# %% [repaired]
def class_colors(n, name="viridis"):
    cmap = plt.get_cmap(name, n)
    return [cmap(i) for i in range(n)]

# %%
digits = load_digits(n_class=6)
Z = PCA(2, random_state=0).fit_transform(digits.data)
Z.shape

# %%
n_classes = len(np.unique(digits.target))
colors = class_colors(n_classes)
fig, ax = plt.subplots(figsize=(6, 5))
for k in range(n_classes):
    m = digits.target == k
    ax.scatter(*Z[m].T, s=8, color=colors[k], label=k)
ax.legend(title="digit");

# %%
fig.savefig("digits_pca.png", dpi=80)
