# library: matplotlib
# needs: matplotlib, numpy
# compare: limits, bar_heights, legend_texts, saved

# %%
import os
import numpy as np
import matplotlib
import matplotlib.pyplot as plt
from matplotlib.ticker import PercentFormatter

np.random.seed(12)
months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"]
visits = np.array([1200, 1350, 1280, 1600, 1720, 1910])
signups = (visits * np.random.uniform(0.03, 0.08, 6)).round().astype(int)
signups

# %%
fig = plt.figure(figsize=(8, 6))
ax1 = fig.add_subplot(2, 1, 1)
bars = ax1.bar(months, visits, color="steelblue", width=0.6)
ax1.set_ylabel("visits")
for rect in bars:
    ax1.annotate(f"{rect.get_height():.0f}", (rect.get_x() + rect.get_width() / 2, rect.get_height()), ha="center", va="bottom")
bar_heights = [b.get_height() for b in bars]

ax2 = fig.add_subplot(2, 1, 2)
rate = signups / visits
ax2.plot(months, rate, marker="o", linestyle="--", label="conversion")
ax2.axhline(rate.mean(), color="red", lw=1, label="mean")
ax2.yaxis.set_major_formatter(PercentFormatter(xmax=1.0))
leg = ax2.legend(loc="upper right")
legend_texts = [t.get_text() for t in leg.get_texts()]
fig.suptitle("Half-year report")
plt.show()

# %%
limits = tuple(float(v) for v in np.round(ax1.get_ylim(), 2))
limits

# %%
x = np.linspace(-3, 3, 60)
X, Y = np.meshgrid(x, x)
Z = np.exp(-(X ** 2 + Y ** 2)) * X
fig, ax = plt.subplots()
cs = ax.contourf(X, Y, Z, levels=9, cmap="RdBu")
fig.colorbar(cs, ax=ax)
fig.savefig("contour.png", dpi=50, bbox_inches="tight")
plt.close(fig)

# %%
saved = os.path.exists("contour.png") and os.path.getsize("contour.png") > 1000
saved

