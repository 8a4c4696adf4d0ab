# library: seaborn
# needs: matplotlib, numpy, pandas, seaborn
# compare: means, n_axes, tick_labels

# %%
import numpy as np
import pandas as pd
import seaborn as sns
import matplotlib.pyplot as plt

sns.set_theme(style="whitegrid")

# %%
rng = np.random.default_rng(6)
frames = []
for species, bill, mass in [("Adelie", 38.8, 3700), ("Gentoo", 47.5, 5080), ("Chinstrap", 48.8, 3730)]:
    frames.append(pd.DataFrame({
        "species": species,
        "bill_length_mm": rng.normal(bill, 2.5, 25).round(1),
        "body_mass_g": rng.normal(mass, 350, 25).round(0),
        "sex": rng.choice(["male", "female"], 25),
    }))
penguins = pd.concat(frames, ignore_index=True)
penguins.head()

# %%
means = penguins.groupby("species")[["bill_length_mm", "body_mass_g"]].mean().round(2)
means

# %%
ax = sns.scatterplot(data=penguins, x="bill_length_mm", y="body_mass_g", hue="species")
ax.set(xlabel="bill (mm)", ylabel="mass (g)")
plt.title("Penguins")
plt.show()

# %%
fig, axes = plt.subplots(1, 2, figsize=(10, 4))
sns.boxplot(data=penguins, x="species", y="body_mass_g", ax=axes[0])
sns.histplot(data=penguins, x="bill_length_mm", hue="sex", bins=10, ax=axes[1])
tick_labels = [t.get_text() for t in axes[0].get_xticklabels()]
plt.tight_layout()
plt.show()

# %%
corr = penguins.select_dtypes("number").corr()
hm = sns.heatmap(corr, annot=True, cmap="coolwarm", vmin=-1, vmax=1)
n_axes = len(hm.figure.axes)
plt.savefig("corr.png", dpi=60)
plt.close("all")

