# library: jax
# needs: jax
# compare: params, loss_curve, acc

# %% [markdown]
# # Logistic regression with `grad` and `jit`

# %%
import jax
import jax.numpy as jnp
from jax import grad, jit, random

key = random.PRNGKey(0)
key, k1, k2 = random.split(key, 3)
X = random.normal(k1, (80, 2))
true_w = jnp.array([1.5, -2.0])
y = (X @ true_w + 0.3 * random.normal(k2, (80,)) > 0).astype(jnp.float32)
X.shape, y.mean()

# %%
def predict(params, X):
    w, b = params
    return jax.nn.sigmoid(X @ w + b)

def loss(params, X, y):
    p = predict(params, X)
    return -jnp.mean(y * jnp.log(p + 1e-7) + (1 - y) * jnp.log(1 - p + 1e-7))

params = (jnp.zeros(2), 0.0)
loss(params, X, y)

# %%
@jit
def update(params, X, y, lr=0.5):
    grads = grad(loss)(params, X, y)
    return jax.tree_util.tree_map(lambda p, g: p - lr * g, params, grads)

loss_curve = []
for step in range(30):
    params = update(params, X, y)
    if step % 10 == 0:
        loss_curve.append(round(float(loss(params, X, y)), 4))
loss_curve

# %%
acc = float(((predict(params, X) > 0.5) == y).mean())
print(f"accuracy {acc:.3f}, w = {params[0]}")

