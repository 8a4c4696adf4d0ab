# group: data
# seen: 2026-11-29b
# fails: ValueError: Bin labels must be one fewer than the number of bin edges
# cause: four labels need five edges: the upper end of the group "senior" (65 and more) is missing.
# holds: {k: int(v) for k, v in table.items()} -> {'child': 2, 'young': 3, 'adult': 2, 'senior': 3}
# holds: int(vis["group"].isna().sum()) -> 0

# %%
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

# %%
vis = pd.DataFrame({"age": [4, 17, 18, 25, 34, 35, 64, 65, 71, 90],
                    "ticket": [0, 5, 8, 8, 8, 12, 12, 6, 6, 6]})
print(vis.describe())

# %% [markdown]
# child: below 18, young: 18-34, adult: 35-64, senior: 65 and over

# %%
edges = [0, 18, 35, 65]
names = ["child", "young", "adult", "senior"]
vis["group"] = pd.cut(vis["age"], bins=edges, labels=names, right=False)

# %% [repaired]
edges = [0, 18, 35, 65, np.inf]
names = ["child", "young", "adult", "senior"]
vis["group"] = pd.cut(vis["age"], bins=edges, labels=names, right=False)

# %%
table = vis["group"].value_counts().reindex(names)
table.plot.bar(rot=0)
plt.show()

# %%
vis.groupby("group", observed=True)["ticket"].mean()
