# group: data
# seen: 2026-11-30f
# fails: KeyError: 'temp'
# cause: rename() got the dict without columns=, so it renamed index labels (none match) and the columns kept their old names.
# holds: list(gh.columns) -> ['time', 'temp', 'rh', 'bed', 'vpd']
# holds: round(float(gh["vpd"].mean()), 3) -> 0.752
# holds: int(gh["vpd"].notna().sum()) -> 96

# %%
import numpy as np
import pandas as pd

# %%
rng = np.random.default_rng(11)
n = 96
gh = pd.DataFrame({
    "time": pd.date_range("2026-04-01", periods=n, freq="h"),
    "Temp (C)": (21 + 4 * np.sin(np.arange(n) / 24 * 2 * np.pi) + rng.normal(0, .4, n)).round(1),
    "RH (%)": rng.integers(55, 88, n),
    "bed": rng.choice(list("ABC"), n),
})
gh.head()

# %%
# shorter names, I hate typing the brackets
gh = gh.rename({"Temp (C)": "temp", "RH (%)": "rh"})
print(gh.shape)

# %% [repaired]
# shorter names, I hate typing the brackets
gh = gh.rename(columns={"Temp (C)": "temp", "RH (%)": "rh"})
print(gh.shape)

# %%
gh["bed"].value_counts()

# %%
# vapour pressure deficit (kPa)
es = 0.6108 * np.exp(17.27 * gh["temp"] / (gh["temp"] + 237.3))
gh["vpd"] = es * (1 - gh["rh"] / 100)

# %%
gh.groupby("bed")["vpd"].describe().round(2)
