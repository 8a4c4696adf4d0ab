# library: jax
# needs: jax, numpy
# compare: energies, traj_shape, hits, jac

# %%
import numpy as np
import jax
import jax.numpy as jnp
from jax import lax, vmap
from functools import partial

g = 9.81

# %%
def step(state, _, dt=0.01, drag=0.1):
    pos, vel = state
    acc = jnp.array([0.0, -g]) - drag * vel
    vel = vel + dt * acc
    pos = pos + dt * vel
    return (pos, vel), pos

@partial(jax.jit, static_argnames=["n"])
def throw(v0, n=150):
    start = (jnp.zeros(2), v0)
    _, traj = lax.scan(step, start, xs=None, length=n)
    return traj

traj = throw(jnp.array([5.0, 6.0]))
traj.shape

# %%
angles = np.deg2rad([30, 45, 60])
v0s = 8.0 * jnp.stack([jnp.cos(angles), jnp.sin(angles)], axis=1)
trajs = vmap(throw)(v0s)
traj_shape = trajs.shape
traj_shape

# %%
below = trajs[:, 1:, 1] < 0
first = jnp.argmax(below, axis=1)
hits = trajs[jnp.arange(3), first, 0]
print("landing at", hits.round(2))

# %%
def energy(v):
    return 0.5 * jnp.dot(v, v)

energies = vmap(energy)(v0s)
jac = jax.jacfwd(lambda v: throw(v)[-1])(jnp.array([5.0, 6.0]))
jac.shape

