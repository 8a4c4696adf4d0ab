# group: data
# seen: 2026-11-28
# fails: LinAlgError: Matrix is not positive definite
# cause: np.cov takes rows as variables; returns holds one asset per column, so the covariance is 250x250 (rank 4),
#   which cholesky refuses.
# holds: sigma.shape -> (4, 4)
# holds: sims.shape -> (5000, 4)
# holds: round(float(np.trace(sigma))*1e4,3) -> 5.564

# %% [markdown]
# ## Monte Carlo of a small portfolio

# %%
import numpy as np
import matplotlib.pyplot as plt
rng = np.random.default_rng(17)
names = ["AAA", "BBB", "CCC", "DDD"]

# %%
days = 250
market = rng.normal(0.0004, 0.01, days)
returns = np.column_stack([b * market + rng.normal(0, s, days) for b, s in [(1.1, .006), (.7, .004), (1.4, .012), (.2, .003)]])
returns.shape

# %%
mu = returns.mean(axis=0)
sigma = np.cov(returns)
print("annual vol:", returns.std(axis=0) * np.sqrt(252))

# %% [repaired]
mu = returns.mean(axis=0)
sigma = np.cov(returns, rowvar=False)
print("annual vol:", returns.std(axis=0) * np.sqrt(252))

# %%
weights = np.array([.4, .3, .1, .2])
assert np.isclose(weights.sum(), 1)

# %%
L = np.linalg.cholesky(sigma)
z = rng.standard_normal((5000, len(mu)))
sims = mu + z @ L.T

# %%
port = sims @ weights
var95 = -np.percentile(port, 5)
plt.hist(port, bins=60); plt.axvline(-var95, color="r");
print(f"1-day VaR 95%: {var95:.2%}")
