# library: tensorflow
# needs: numpy, tensorflow
# compare: w_value, b_value, losses

# %% [markdown]
# # Basic training loops

# %%
import tensorflow as tf
import numpy as np

# %%
TRUE_W, TRUE_B = 3.0, 2.0
x = tf.linspace(-2.0, 2.0, 101)
rng = np.random.default_rng(22)
noise = tf.constant(rng.normal(0, 0.3, 101), dtype=tf.float32)
y = TRUE_W * x + TRUE_B + noise
x.shape, y.dtype

# %% [markdown]
# ## Define the model

# %%
class MyModel(tf.Module):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.w = tf.Variable(5.0)
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return self.w * x + self.b

model = MyModel()
model.variables

# %% [markdown]
# ## Loss function and training loop

# %%
def mse(target, predicted):
    return tf.reduce_mean(tf.square(target - predicted))

def train(model, x, y, learning_rate):
    with tf.GradientTape() as t:
        current_loss = mse(y, model(x))
    dw, db = t.gradient(current_loss, [model.w, model.b])
    model.w.assign_sub(learning_rate * dw)
    model.b.assign_sub(learning_rate * db)
    return current_loss

# %%
losses = []
for epoch in range(10):
    loss = train(model, x, y, learning_rate=0.1)
    losses.append(round(float(loss), 4))
w_value = round(model.w.numpy().item(), 3)
b_value = round(model.b.numpy().item(), 3)
print(f"w {w_value} b {b_value} loss {losses[-1]}")
