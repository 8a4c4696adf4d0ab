# group: data
# seen: 2026-11-29d
# fails: ValueError: operands could not be broadcast together with shapes (41,) (40,)
# cause: histo() returns the bin edges, which are one more than the counts; return the centres of the bins for the fit.
# holds: len(pos) == len(counts) -> True
# holds: [round(abs(float(v)), 2) for v in popt[1:]] -> [5.21, 0.43]
# holds: round(float(pos[0]), 3) -> 3.062

# %%
import numpy as np
from scipy.optimize import curve_fit
import matplotlib.pyplot as plt

# %%
rng = np.random.default_rng(6)
energy = np.concatenate([rng.normal(5.2, 0.4, 900), rng.uniform(3, 8, 150)])

# %%
def histo(values, nbins=40):
    counts, edges = np.histogram(values, bins=nbins, range=(3, 8))
    return edges, counts

# %% [repaired]
def histo(values, nbins=40):
    counts, edges = np.histogram(values, bins=nbins, range=(3, 8))
    return (edges[:-1] + edges[1:]) / 2, counts

# %%
pos, counts = histo(energy)
print("max bin:", counts.max())

# %%
def gauss(x, A, mu, sig):
    return A * np.exp(-(x - mu) ** 2 / (2 * sig ** 2))

popt, pcov = curve_fit(gauss, pos, counts, p0=[counts.max(), 5, .5])
print("mu = %.3f  sigma = %.3f" % (popt[1], abs(popt[2])))

# %%
plt.step(pos, counts, where="mid")
plt.plot(pos, gauss(pos, *popt), "r-")
plt.show()
