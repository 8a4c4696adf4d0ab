# group: data
# seen: 2026-11-29c
# fails: KeyError: 'patient_id'
# cause: after the cell that drops patient_id from visits was run, the cell before it, which needs patient_id, was run once more.
# order: 1,2,3,4,5,3
# again: 1,2,3,4,5
# holds: per_patient.sum().item() -> 75
# holds: list(visits.columns) -> ['sbp', 'dbp']
# holds: len(per_patient) -> 20

# %%
import pandas as pd
import numpy as np
import matplotlib.pyplot as plt

# %%
rng = np.random.default_rng(17)
visits = pd.DataFrame({
    "patient_id": rng.integers(100, 120, 75),
    "sbp": rng.normal(132, 14, 75).round(),
    "dbp": rng.normal(84, 9, 75).round(),
})
visits.head()

# %%
per_patient = visits.groupby("patient_id").size()
per_patient.hist(bins=8)
plt.xlabel("visits"); plt.show()

# %%
# the id must not get into the correlations
visits = visits.drop(columns=["patient_id"])

# %%
corr = visits.corr()
print(corr.round(2))
