# library: numpy
# needs: numpy
# compare: heavy, by_country, loaded, masked_mean

# %%
import numpy as np
import io

txt = """# name country mass year
Hoba NA 60000 1920
Willamette US 15500 1902
Mbozi TZ 16000 1930
Canyon US 30000 1891
Ensisheim FR 127 1492
Peekskill US 12.57 1992
"""
meteorites = np.genfromtxt(io.StringIO(txt), dtype=[("name", "U20"), ("country", "U2"), ("mass", "f8"), ("year", "i4")])
meteorites.dtype.names

# %%
meteorites.shape, meteorites[0]

# %%
heavy = meteorites[meteorites["mass"] > 10_000]["name"]
order = np.argsort(meteorites, order="year")
print(meteorites["name"][order])

# %%
countries, inverse, counts = np.unique(meteorites["country"], return_inverse=True, return_counts=True)
sums = np.bincount(inverse, weights=meteorites["mass"])
by_country = {str(c): float(s) for c, s in zip(countries, sums)}
by_country

# %%
masked = np.ma.masked_where(meteorites["year"] < 1900, meteorites["mass"])
masked_mean = float(masked.mean())
masked_mean

# %%
percentiles = np.percentile(meteorites["mass"], [25, 50, 75])
bins = np.digitize(meteorites["mass"], percentiles)
np.savez_compressed("met.npz", mass=meteorites["mass"], bins=bins)
with np.load("met.npz") as z:
    loaded = z["mass"][z["bins"] == 3]
loaded

