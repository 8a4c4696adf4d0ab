# library: keras
# needs: keras, numpy, tensorflow
# compare: code_shape, epoch_losses_len, decoded_range

# %%
import os
os.environ["KERAS_BACKEND"] = "tensorflow"
import numpy as np
import keras
import tensorflow as tf
from keras.layers import Dense, Flatten, Reshape

keras.utils.set_random_seed(1)
x = np.random.rand(32, 8, 8).astype("float32")
x.shape

# %%
class Autoencoder(keras.Model):
    def __init__(self, latent_dim, shape):
        super().__init__()
        self.latent_dim = latent_dim
        self.encoder = keras.Sequential([Flatten(), Dense(latent_dim, activation="relu")])
        self.decoder = keras.Sequential([Dense(int(np.prod(shape)), activation="sigmoid"), Reshape(shape)])

    def call(self, inputs):
        encoded = self.encoder(inputs)
        return self.decoder(encoded)

autoencoder = Autoencoder(6, x.shape[1:])
autoencoder(x[:1]).shape

# %%
optimizer = keras.optimizers.Adam(1e-2)
loss_fn = keras.losses.MeanSquaredError()
epoch_losses = []
for epoch in range(3):
    for start in range(0, len(x), 16):
        batch = x[start:start + 16]
        with tf.GradientTape() as tape:
            decoded = autoencoder(batch, training=True)
            loss = loss_fn(batch, decoded)
        grads = tape.gradient(loss, autoencoder.trainable_variables)
        optimizer.apply_gradients(zip(grads, autoencoder.trainable_variables))
    epoch_losses.append(float(loss))
print([round(l, 3) for l in epoch_losses])

# %%
codes = autoencoder.encoder(x).numpy()
decoded = autoencoder.decoder(codes).numpy()
code_shape = codes.shape
epoch_losses_len = len(epoch_losses)
decoded_range = bool(decoded.min() >= 0 and decoded.max() <= 1)
print(code_shape, decoded.shape)

