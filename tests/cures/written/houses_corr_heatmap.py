# group: data
# seen: 2026-11-29e
# fails: ValueError: could not convert string to float: 'Oak Ave'
# cause: the frame has a text column and corr doesn't leave it out by itself; numeric_only=True.
# holds: corr.shape -> (3, 3)
# holds: "street" in corr.columns -> False
# holds: round(float(corr.loc["rooms", "rooms"]), 1) -> 1.0

# %%
import numpy as np, pandas as pd
import seaborn as sns
import matplotlib.pyplot as plt

# %%
rng = np.random.default_rng(31)
houses = pd.DataFrame({"street": rng.choice(["Elm St", "Oak Ave", "Main St"], 60),
                       "rooms": rng.integers(2, 8, 60)})
houses["area"] = houses.rooms * 20 + rng.normal(0, 8, 60)
houses["price"] = houses.area * 2.1 + rng.normal(0, 15, 60)
houses.head()

# %%
sns.boxplot(data=houses, x="street", y="price")
plt.show()

# %%
corr = houses.corr()
sns.heatmap(corr, annot=True, cmap="vlag", vmin=-1, vmax=1)
plt.show()

# %% [repaired]
corr = houses.corr(numeric_only=True)
sns.heatmap(corr, annot=True, cmap="vlag", vmin=-1, vmax=1)
plt.show()

# %%
corr["price"].sort_values(ascending=False)
