# library: jax
# needs: jax, matplotlib, numpy
# compare: shapes, final_loss, fit

# %%
import jax
import jax.numpy as jnp
import numpy as np
import matplotlib.pyplot as plt

# %%
def init_mlp(layer_widths, key, scale=0.5):
    params = []
    keys = jax.random.split(key, num=len(layer_widths) - 1)
    for in_width, out_width, k in zip(layer_widths[:-1], layer_widths[1:], keys):
        params.append({
            "weights": scale * jax.random.normal(k, (in_width, out_width)),
            "biases": jnp.zeros((out_width,)),
        })
    return params

params = init_mlp([1, 16, 16, 1], jax.random.key(42))
shapes = jax.tree.map(lambda x: x.shape, params)
shapes

# %%
def forward(params, x):
    *hidden, last = params
    for layer in hidden:
        x = jnp.tanh(x @ layer["weights"] + layer["biases"])
    return x @ last["weights"] + last["biases"]

xs = jnp.linspace(-2, 2, 64).reshape(-1, 1)
ys = xs ** 2
forward(params, xs).shape

# %%
def loss_fn(params, x, y):
    return jnp.mean((forward(params, x) - y) ** 2)

@jax.jit
def update(params, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    new = jax.tree.map(lambda p, g: p - 0.05 * g, params, grads)
    return new, loss

losses = []
for _ in range(60):
    params, loss = update(params, xs, ys)
    losses.append(loss.item())
final_loss = round(losses[-1], 3)

# %%
pred = np.asarray(forward(params, xs))
fit = bool(np.abs(pred - np.asarray(ys)).mean() < 0.5)
plt.plot(xs, ys, label="target")
plt.plot(xs, pred, label="mlp")
plt.legend()
plt.show()
print(final_loss, fit)
