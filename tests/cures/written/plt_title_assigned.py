# group: data
# seen: 2026-11-30g
# fails: TypeError: 'str' object is not callable
# cause: an earlier cell writes plt.title = "..." and so overwrites the function by a string; it has to be a call.
# holds: callable(plt.title) -> True
# holds: ax1.get_title() -> 'random walk'
# holds: ax2.get_title() -> 'end points of 1000 walks'

# %%
import numpy as np
import matplotlib.pyplot as plt
np.random.seed(9)

# %%
steps = np.random.choice([-1, 1], size=500)
walk = steps.cumsum()
print(walk[:10], walk.min(), walk.max())

# %%
plt.figure()
plt.plot(walk)
plt.title = "random walk"
ax1 = plt.gca()
plt.show()

# %% [repaired]
plt.figure()
plt.plot(walk)
plt.title("random walk")
ax1 = plt.gca()
plt.show()

# %%
ends = np.random.choice([-1, 1], size=(1000, 500)).sum(axis=1)
print("mean end", ends.mean(), "std", ends.std().round(1))

# %%
plt.figure()
plt.hist(ends, bins=30)
plt.title("end points of 1000 walks")
plt.xlabel("position")
ax2 = plt.gca()
plt.show()
