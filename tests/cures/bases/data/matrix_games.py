# library: numpy
# needs: numpy
# compare: payoff, best_rows, equilibrium

# %%
import numpy as np
np.set_printoptions(precision=3, suppress=True)

# %%
# rock paper scissors with a twist: paper pays double
A = np.array([
    [0, -2, 1],
    [2, 0, -1],
    [-1, 1, 0],
])
print(A.shape, A.dtype)
A

# %%
def play(row, col, payoff_matrix):
    row = np.asarray(row, dtype=float)
    col = np.asarray(col, dtype=float)
    return row @ payoff_matrix @ col

uniform = np.ones(3) / 3
payoff = play([0.2, 0.5, 0.3], uniform, A)
payoff

# %%
best_rows = np.argmax(A @ np.eye(3), axis=0)
best_rows

# %%
def fictitious_play(M, rounds=400):
    counts_r = np.zeros(M.shape[0])
    counts_c = np.zeros(M.shape[1])
    i = j = 0
    for _ in range(rounds):
        counts_r[i] += 1
        counts_c[j] += 1
        i = np.argmax(M @ counts_c)
        j = np.argmin(counts_r @ M)
    return counts_r / counts_r.sum(), counts_c / counts_c.sum()

r, c = fictitious_play(A)
equilibrium = np.vstack([r, c]).round(2)
print(equilibrium)

