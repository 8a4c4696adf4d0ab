# group: data
# seen: 2026-11-29e
# fails: IndexError: only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices
# cause: StandardScaler gives back a numpy array without column names; it must be made a DataFrame again.
# holds: list(scaled.columns) -> ['height', 'weight', 'vo2']
# holds: abs(round(float(scaled["height"].mean()), 6)) -> 0.0
# holds: scaled.shape -> (40, 3)

# %%
import numpy as np
import pandas as pd
from sklearn.preprocessing import StandardScaler

# %%
rng = np.random.default_rng(6)
ath = pd.DataFrame({"height": rng.normal(182, 9, 40), "weight": rng.normal(78, 10, 40), "vo2": rng.normal(55, 6, 40)})
ath.head()

# %%
scaler = StandardScaler()
scaled = scaler.fit_transform(ath)
scaled[:3]

# %% [repaired]
scaler = StandardScaler()
scaled = pd.DataFrame(scaler.fit_transform(ath), columns=ath.columns, index=ath.index)
scaled[:3]

# %%
tall = scaled["height"] > 1
print(tall.sum(), "tall athletes")

# %%
print(ath.loc[tall, "weight"].mean())
