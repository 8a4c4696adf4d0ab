# group: data
# seen: 2026-11-30g
# fails: UFuncTypeError: Cannot cast ufunc 'subtract' output from dtype('float64') to dtype('int64') with casting rule 'same_kind'
# cause: the scores are an int array, and an in-place -= with floats cannot be stored in it; make it float when the array is made.
# holds: scores.dtype.name -> 'float64'
# holds: np.allclose(scores.mean(axis=0), 0) -> True
# holds: np.allclose(scores.std(axis=0), 1) -> True

# %%
import numpy as np

# %%
lines = ["12 7 30", "15 9 28", "9 4 35", "20 11 22", "14 8 31"]
scores = np.array([[int(v) for v in l.split()] for l in lines])
scores

# %% [repaired]
lines = ["12 7 30", "15 9 28", "9 4 35", "20 11 22", "14 8 31"]
scores = np.array([[int(v) for v in l.split()] for l in lines], dtype=float)
scores

# %%
mu = scores.mean(axis=0)
sd = scores.std(axis=0)
print(mu, sd)

# %%
# in place to save memory, real matrix is 4 GB
scores -= mu
scores /= sd

# %%
corr = scores.T @ scores / len(scores)
print(corr.round(2))
