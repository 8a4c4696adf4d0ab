# group: data
# seen: 2026-11-30g
# fails: ValueError: 'c' argument must be a color, a sequence of colors, or a sequence of numbers, not 0        adelie
# cause: c= gets the names of the species, which are no colours; map each name to a colour first.
# holds: sorted(set(colors)) -> ['tab:blue', 'tab:green', 'tab:orange']
# holds: sc.get_offsets().shape -> (60, 2)

# %%
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from sklearn.decomposition import PCA

# %%
rng = np.random.RandomState(0)
centers = {"adelie": (0, 0, 1, 2), "gentoo": (5, 4, 0, 1), "chinstrap": (1, 6, 3, 0)}
rows = [list(rng.normal(c, 0.6)) + [sp] for sp, c in centers.items() for _ in range(20)]
peng = pd.DataFrame(rows, columns=["bill", "depth", "flipper", "mass", "species"])
peng.sample(5, random_state=1)

# %%
pcs = PCA(n_components=2).fit_transform(peng.drop(columns="species"))
palette = {"adelie": "tab:blue", "gentoo": "tab:orange", "chinstrap": "tab:green"}

# %%
colors = peng["species"]

# %% [repaired]
colors = peng["species"].map(palette)

# %%
fig, ax = plt.subplots(figsize=(5, 4))
sc = ax.scatter(pcs[:, 0], pcs[:, 1], c=colors, s=15)
ax.set_xlabel("PC1"); ax.set_ylabel("PC2")
plt.show()
