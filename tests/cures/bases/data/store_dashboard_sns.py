# library: seaborn
# needs: matplotlib, pandas, seaborn
# compare: palette_len, summary, line_labels

# %%
import json
import pandas as pd
import seaborn as sns
import matplotlib.pyplot as plt
import matplotlib as mpl

mpl.rcParams['axes.spines.right'] = False
stores = {"store": ["Lyon", "Lyon", "Lyon", "Nice", "Nice", "Nice", "Metz", "Metz", "Metz"],
          "month": [1, 2, 3] * 3,
          "visitors": [320, 410, 390, 210, 260, 333, 120, 150, 145],
          "sales": [5400, 7010, 6500, 3100, 4200, 5200, 1900, 2500, 2280]}
with open("stores.json", "w") as f:
    json.dump(stores, f)

# %%
with open("stores.json") as f:
    df = pd.DataFrame(json.load(f))
df["basket"] = df["sales"] / df["visitors"]
df.head()

# %%
palette = sns.color_palette("husl", n_colors=df["store"].nunique())
palette_len = len(palette)
ax = sns.lineplot(data=df, x="month", y="sales", hue="store", palette=palette, marker="o")
ax.set_xticks(df["month"].unique())
line_labels = ax.get_legend_handles_labels()[1]
sns.move_legend(ax, "upper left")
plt.show()

# %%
fig, axs = plt.subplots(ncols=2, figsize=(9, 3), sharey=False)
sns.barplot(data=df, x="store", y="basket", errorbar=None, ax=axs[0])
for container in axs[0].containers:
    axs[0].bar_label(container, fmt="%.1f")
sns.stripplot(data=df, x="store", y="visitors", ax=axs[1], jitter=False)
axs[1].set_title("visitors")
fig.tight_layout()
plt.show()

# %%
summary = df.groupby("store", sort=False).agg(total=("sales", "sum"), basket=("basket", "mean")).round(2)
g = sns.pairplot(df[["visitors", "sales", "basket"]], height=1.5)
g.figure.suptitle("pairs", y=1.02)
plt.close("all")
summary

