# library: keras
# needs: keras, numpy
# compare: weight_shapes, files, lrs, same_weights

# %%
import os
import numpy as np
import keras
from keras import layers, callbacks

keras.utils.set_random_seed(31)
X = np.random.normal(size=(60, 5)).astype("float32")
y = (X.sum(axis=1, keepdims=True) > 0).astype("float32")
X.shape, y.shape

# %%
def build_model(units=8, dropout=0.1):
    inputs = keras.Input(shape=(5,))
    h = layers.Dense(units)(inputs)
    h = layers.BatchNormalization()(h)
    h = layers.Activation("relu")(h)
    h = layers.Dropout(dropout)(h)
    outputs = layers.Dense(1, activation="sigmoid")(h)
    model = keras.Model(inputs, outputs, name="clf")
    model.compile(optimizer="sgd", loss="binary_crossentropy", metrics=[keras.metrics.AUC(name="auc")])
    return model

model = build_model()
weight_shapes = [w.shape for w in model.get_weights()]
weight_shapes

# %%
def schedule(epoch, lr):
    return 0.1 if epoch < 1 else 0.01

class Recorder(callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.lrs = []

    def on_epoch_end(self, epoch, logs=None):
        self.lrs.append(round(float(self.model.optimizer.learning_rate), 4))

rec = Recorder()
cbs = [callbacks.LearningRateScheduler(schedule), rec, callbacks.ModelCheckpoint("ckpt.weights.h5", save_weights_only=True)]

# %%
history = model.fit(X, y, epochs=2, batch_size=20, validation_split=0.2, callbacks=cbs, verbose=0)
lrs = rec.lrs
print(lrs, list(history.history))

# %%
files = sorted(f for f in os.listdir(".") if f.endswith(".h5"))
clone = build_model()
clone.load_weights("ckpt.weights.h5")
same_weights = all(np.array_equal(a, b) for a, b in zip(model.get_weights(), clone.get_weights()))
same_weights

