# library: tensorflow
# needs: numpy, tensorflow
# compare: batch_shapes, sums, ragged_lengths, lookup

# %%
import numpy as np
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
features = np.arange(40, dtype=np.float32).reshape(20, 2)
targets = (features.sum(axis=1) > 40).astype(np.int32)

# %%
ds = tf.data.Dataset.from_tensor_slices((features, targets))
ds.element_spec

# %%
def normalize(x, y):
    return x / 40.0, tf.one_hot(y, depth=2)

train_ds = (
    ds.shuffle(20, seed=7, reshuffle_each_iteration=False)
      .map(normalize, num_parallel_calls=1)
      .batch(8)
      .prefetch(AUTOTUNE)
)
batch_shapes = [tuple(xb.shape) + tuple(yb.shape) for xb, yb in train_ds]
batch_shapes

# %%
sums = tf.reduce_sum(tf.concat([xb for xb, _ in train_ds], axis=0), axis=0)
print(sums.numpy())

# %%
words = tf.constant(["red green", "blue", "green green blue red"])
tokens = tf.strings.split(words)
ragged_lengths = tokens.row_lengths().numpy()
tokens.to_tensor(default_value="")

# %%
table = tf.keras.layers.StringLookup(vocabulary=["red", "green", "blue"])
lookup = table(tokens.to_tensor(default_value="red")).numpy()
lookup

# %%
@tf.function
def collatz_steps(n):
    steps = tf.constant(0)
    while n != 1:
        n = tf.where(n % 2 == 0, n // 2, 3 * n + 1)
        steps += 1
    return steps

int(collatz_steps(tf.constant(27)))

