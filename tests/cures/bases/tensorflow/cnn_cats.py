# library: keras
# needs: numpy, tensorflow
# compare: n_params, output_shape, val_keys, classes

# %%
import tensorflow as tf
from tensorflow.keras import layers, models
import numpy as np

tf.keras.utils.set_random_seed(11)

# %%
num = 40
images = np.random.rand(num, 32, 32, 3).astype("float32")
labels = np.random.randint(0, 2, size=(num, 1))
images[labels[:, 0] == 1, 8:24, 8:24, 0] += 0.5
train_images, val_images = images[:32], images[32:]
train_labels, val_labels = labels[:32], labels[32:]
print(train_images.shape, train_labels.shape)

# %%
model = models.Sequential()
model.add(layers.Input(shape=(32, 32, 3)))
model.add(layers.Conv2D(8, (3, 3), activation="relu"))
model.add(layers.MaxPooling2D((2, 2)))
model.add(layers.Conv2D(16, (3, 3), activation="relu"))
model.add(layers.GlobalAveragePooling2D())
model.add(layers.Dense(1, activation="sigmoid"))
model.summary()

# %%
n_params = model.count_params()
output_shape = model.output_shape
n_params, output_shape

# %%
model.compile(optimizer=tf.keras.optimizers.Adam(learning_rate=0.01), loss="binary_crossentropy", metrics=["accuracy"])
history = model.fit(train_images, train_labels, epochs=2, batch_size=16,
                    validation_data=(val_images, val_labels), verbose=0)
val_keys = [k for k in history.history if k.startswith("val_")]
val_keys

# %%
probs = model.predict(val_images, verbose=0)
classes = (probs > 0.5).astype(int).ravel()
print(probs.shape, classes.shape)

