# library: numpy
# needs: matplotlib, numpy
# compare: crossing, rms, hist

# %%
from numpy.random import default_rng
import numpy as np
import matplotlib.pyplot as plt

nwalks, nsteps = 200, 150
rng = default_rng(12345)

# %%
draws = rng.integers(0, 2, size=(nwalks, nsteps))
steps = np.where(draws == 0, 1, -1)
walks = steps.cumsum(axis=1)
walks.shape

# %%
walks.max(), walks.min()

# %%
hits10 = (np.abs(walks) >= 10).any(axis=1)
crossing_times = (np.abs(walks[hits10]) >= 10).argmax(axis=1)
crossing = crossing_times.mean()
print(hits10.sum(), "walks reached 10, after", round(crossing, 1), "steps on average")

# %%
rms = np.sqrt((walks ** 2).mean(axis=0))
t = np.arange(1, nsteps + 1)
plt.plot(t, rms, label="simulated")
plt.plot(t, np.sqrt(t), "--", label=r"$\sqrt{t}$")
plt.legend()
plt.show()

# %%
hist, edges = np.histogram(walks[:, -1], bins=np.arange(-40, 41, 10))
for count, left in zip(hist, edges[:-1]):
    print(f"{left:>4} {'#' * (count // 4)}")

