# library: numpy
# needs: numpy
# compare: estimates, final_error, inside_share

# %%
import numpy as np

rng = np.random.default_rng(seed=2024)

# %%
def estimate_pi(n):
    """Throw n darts at the unit square."""
    pts = rng.random((n, 2))
    inside = (pts ** 2).sum(axis=1) <= 1.0
    return 4 * inside.mean()

# %%
sizes = [100, 1_000, 10_000, 100_000]
estimates = [estimate_pi(s) for s in sizes]
for s, e in zip(sizes, estimates):
    print(f"{s:>8,d}: {e:.4f}")

# %%
errors = np.abs(np.array(estimates) - np.pi)
final_error = errors[-1]
errors.shape

# %%
# same thing on a grid, no randomness
axis = np.linspace(0, 1, 201)
xx, yy = np.meshgrid(axis, axis)
mask = np.hypot(xx, yy) <= 1
inside_share = mask.sum() / mask.size
inside_share

