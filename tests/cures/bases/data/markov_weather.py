# library: numpy
# needs: numpy
# compare: stationary, visits, ruin, absorbed

# %%
import numpy as np
from numpy.linalg import matrix_power, solve

states = ["sunny", "cloudy", "rainy"]
P = np.array([
    [0.7, 0.2, 0.1],
    [0.3, 0.4, 0.3],
    [0.2, 0.4, 0.4],
])
assert np.allclose(P.sum(axis=1), 1)

# %%
# tomorrow, in a week
today = np.array([1, 0, 0])
print(today @ P)
print(today @ matrix_power(P, 7))

# %%
evals, evecs = np.linalg.eig(P.T)
k = np.argmin(np.abs(evals - 1))
stationary = np.real(evecs[:, k] / evecs[:, k].sum())
dict(zip(states, stationary.round(3)))

# %%
rng = np.random.default_rng(11)
chain = [0]
for _ in range(999):
    chain.append(rng.choice(3, p=P[chain[-1]]))
chain = np.array(chain)
visits = np.bincount(chain) / len(chain)
visits

# %%
# gambler's ruin with absorbing ends
n, p = 6, 0.45
Q = np.zeros((n - 1, n - 1))
for i in range(n - 1):
    if i > 0:
        Q[i, i - 1] = 1 - p
    if i < n - 2:
        Q[i, i + 1] = p
R = np.zeros(n - 1)
R[0] = 1 - p
ruin = solve(np.eye(n - 1) - Q, R)
absorbed = np.linalg.inv(np.eye(n - 1) - Q).sum(axis=1)
ruin.round(4)

