# group: data
# seen: 2026-11-29b
# fails: NotFittedError: This MinMaxScaler instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator.
# cause: the cell with scaler.fit(...) was not run.
# holds: (round(float(scaled.min()), 3), round(float(scaled.max()), 3)) -> (0.0, 1.0)
# holds: [round(float(v), 2) for v in scaled_new[0]] -> [0.5, 1.25]
# order: 1, 2, 3, 5, 6
# again: 1, 2, 3, 4, 5, 6

# %%
import numpy as np
from sklearn.preprocessing import MinMaxScaler

# %%
# flipper mm, mass g
birds = np.array([[180, 3200], [195, 3800], [220, 5200], [210, 4700.]])
new = np.array([[200, 5700.]])
birds.shape

# %%
scaler = MinMaxScaler()

# %%
scaler.fit(birds)

# %%
scaled = scaler.transform(birds)
print(scaled.round(2))

# %%
scaled_new = scaler.transform(new)
scaled_new
