# library: numpy
# needs: numpy
# compare: solution, rank, U_shape, compressed_error, projection

# %%
import numpy as np
from numpy import linalg as LA

A = np.array([[2.0, 1.0, -1.0], [-3.0, -1.0, 2.0], [-2.0, 1.0, 2.0]])
b = np.array([8.0, -11.0, -3.0])

# %%
# Gauss elimination by hand
def gauss(A, b):
    M = np.hstack([A.copy(), b.reshape(-1, 1)])
    n = len(b)
    for i in range(n):
        p = i + np.argmax(np.abs(M[i:, i]))
        M[[i, p]] = M[[p, i]]
        for j in range(i + 1, n):
            M[j] -= M[i] * M[j, i] / M[i, i]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (M[i, -1] - M[i, i + 1:n] @ x[i + 1:]) / M[i, i]
    return x

solution = gauss(A, b)
np.allclose(solution, LA.solve(A, b)), solution

# %%
rank = LA.matrix_rank(np.vstack([A, A.sum(axis=0)]))
print(rank, LA.det(A).round(3), LA.cond(A).round(2))

# %%
rng = np.random.default_rng(6)
M = rng.normal(size=(8, 3)) @ rng.normal(size=(3, 10))
U, s, Vt = LA.svd(M, full_matrices=False)
U_shape = U.shape
s.round(3)

# %%
k = 2
approx = U[:, :k] @ np.diag(s[:k]) @ Vt[:k, :]
compressed_error = LA.norm(M - approx) / LA.norm(M)
compressed_error

# %%
# projection on a plane
a1, a2 = np.array([1, 0, 1]), np.array([0, 1, 1])
B = np.stack((a1, a2), axis=1)
P = B @ LA.inv(B.T @ B) @ B.T
projection = P.dot([1, 2, 3])
q, r = LA.qr(B)
projection, r.shape
