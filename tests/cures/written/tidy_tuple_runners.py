# group: data
# seen: 2026-11-29c
# fails: AttributeError: 'tuple' object has no attribute 'groupby'
# cause: remove_outliers() returns the pair (frame, number removed), and the cell that calls it keeps the pair under the name of the table.
# holds: n_removed -> 3
# holds: len(runs_ok) -> 87
# holds: by_club.idxmax() -> 'Milltown'

# %% [markdown]
# Running club times - which club is fastest?

# %%
import numpy as np
import pandas as pd

rng = np.random.default_rng(3)

# %%
runs = pd.DataFrame({
    "club": rng.choice(["Harriers", "Parkside", "Milltown"], 90),
    "km": rng.choice([5, 10], 90),
    "minutes": rng.normal(32, 6, 90).round(1),
})
runs.loc[[4, 50, 71], "minutes"] = [410.0, 3.2, 388.5]
runs.describe()

# %%
def remove_outliers(df, col, k=3.0):
    """drop rows further than k IQRs from the quartiles"""
    q1, q3 = df[col].quantile([0.25, 0.75])
    lo, hi = q1 - k * (q3 - q1), q3 + k * (q3 - q1)
    keep = df[col].between(lo, hi)
    return df[keep].copy(), int((~keep).sum())

# %%
runs_ok = remove_outliers(runs, "minutes", k=1.5)

# %% [repaired]
runs_ok, n_removed = remove_outliers(runs, "minutes", k=1.5)

# %%
print(len(runs), "runs before cleaning")

# %%
by_club = runs_ok.groupby("club")["minutes"].mean()
by_club.sort_values()
