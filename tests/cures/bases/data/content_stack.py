# library: matplotlib
# needs: matplotlib, numpy, pandas
# compare: totals, fill_max, text_positions, stacked

# %%
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
import matplotlib.gridspec as gridspec
import matplotlib.cm as cm

rng = np.random.default_rng(2)
weeks = np.arange(1, 13)
data = {"podcasts": rng.poisson(20, 12), "videos": rng.poisson(12, 12), "posts": rng.poisson(30, 12)}
df = pd.DataFrame(data, index=weeks)
df.index.name = "week"
df.head()

# %%
totals = df.sum(axis=1)
colors = cm.plasma(np.linspace(0, 0.8, df.shape[1]))
colors.shape

# %%
fig = plt.figure(figsize=(8, 5), constrained_layout=True)
gs = gridspec.GridSpec(2, 2, figure=fig, height_ratios=[2, 1])
top = fig.add_subplot(gs[0, :])
top.stackplot(weeks, df.T.values, labels=df.columns, colors=colors)
top.legend(loc="upper left", ncol=3)
top.set_ylim(0, totals.max() * 1.2)

low_left = fig.add_subplot(gs[1, 0])
low_left.fill_between(weeks, df.min(axis=1), df.max(axis=1), alpha=0.3)
low_left.errorbar(weeks, df.mean(axis=1), yerr=df.std(axis=1), fmt="o", ms=3)

low_right = fig.add_subplot(gs[1, 1])
parts = low_right.boxplot([df[c] for c in df.columns], vert=True)
low_right.set_xticklabels(df.columns, rotation=20)
plt.show()

# %%
fill_max = df.max(axis=1).max()
texts = [low_left.text(w, v + 1, str(v), ha="center", fontsize=6) for w, v in zip(weeks[::4], totals.iloc[::4])]
text_positions = [tuple(float(x) for x in t.get_position()) for t in texts]
text_positions

# %%
bottom = np.zeros(len(weeks))
fig, ax = plt.subplots()
for name, color in zip(df.columns, colors):
    ax.bar(weeks, df[name], bottom=bottom, label=name, color=color)
    bottom += df[name].to_numpy()
stacked = bottom
ax.legend()
fig.savefig("stacked.pdf")
plt.close("all")

