# library: jax
# needs: jax, numpy
# compare: centers, counts, inertia

# %%
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(3)
points = np.concatenate([rng.normal(c, 0.4, size=(20, 2)) for c in ([0, 0], [4, 4], [0, 5])])
X = jnp.asarray(points, dtype=jnp.float32)
X.shape, X.dtype

# %%
@jax.jit
def assign(X, centers):
    d = jnp.linalg.norm(X[:, None, :] - centers[None, :, :], axis=-1)
    return jnp.argmin(d, axis=1), d.min(axis=1)

@jax.jit
def update(X, labels):
    onehot = jax.nn.one_hot(labels, 3)
    totals = onehot.T @ X
    return totals / onehot.sum(axis=0)[:, None]

# %%
centers = X[jnp.array([0, 20, 40])]
for i in range(5):
    labels, dist = assign(X, centers)
    centers = update(X, labels)
inertia = round(float((dist ** 2).sum()), 3)
print(inertia)

# %%
counts = jnp.bincount(labels, length=3)
shifted = X.at[0].set(jnp.array([9.0, 9.0]))
far = assign(shifted, centers)[1].argmax()
counts, int(far)

