# library: numpy
# needs: matplotlib, numpy
# compare: leslie, dominant, final

# %%
import numpy as np
import numpy.linalg as la
import matplotlib.pyplot as plt

fertility = [0.0, 1.1, 0.9, 0.2]
survival = [0.6, 0.7, 0.4]

# %%
leslie = np.zeros((4, 4))
leslie[0] = fertility
leslie[np.arange(1, 4), np.arange(3)] = survival
leslie

# %%
def simulate(L, start, years):
    history = np.empty((years + 1, len(start)))
    history[0] = start
    for t in range(years):
        history[t + 1] = L @ history[t]
    return history

n0 = np.array([100, 50, 20, 5])
history = simulate(leslie, n0, 25)
history[-1].round(1)

# %%
plt.figure(figsize=(7, 4))
for age in range(history.shape[1]):
    plt.plot(history[:, age], label=f"age class {age}")
plt.yscale("log")
plt.legend()
plt.xlabel("year")
plt.ylabel("individuals")
plt.show()

# %%
values, vectors = la.eig(leslie)
i = np.argmax(values.real)
dominant = values[i].real
stable = np.abs(vectors[:, i].real)
stable = stable / stable.sum()
print(f"growth rate {dominant:.4f}")
final = {"total": float(history[-1].sum()), "stable": stable.round(4).tolist()}

