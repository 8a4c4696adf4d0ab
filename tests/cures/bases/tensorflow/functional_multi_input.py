# library: keras
# needs: keras, numpy
# compare: layer_names, pred_shapes, reloaded_same

# %%
import numpy as np
import keras
from keras import layers

keras.utils.set_random_seed(812)

# %%
vocab_size, max_len, n_meta = 50, 10, 3
rng = np.random.default_rng(0)
title_data = rng.integers(1, vocab_size, size=(48, max_len))
meta_data = rng.random((48, n_meta)).astype("float32")
priority = (meta_data[:, 0] > 0.5).astype("float32")
department = rng.integers(0, 4, size=48)
department_onehot = keras.utils.to_categorical(department, num_classes=4)
department_onehot.shape

# %%
title_input = keras.Input(shape=(max_len,), name="title", dtype="int32")
meta_input = keras.Input(shape=(n_meta,), name="meta")

x = layers.Embedding(vocab_size, 8)(title_input)
x = layers.GlobalAveragePooling1D()(x)
merged = layers.concatenate([x, meta_input])
hidden = layers.Dense(16, activation="relu")(merged)
priority_pred = layers.Dense(1, activation="sigmoid", name="priority")(hidden)
department_pred = layers.Dense(4, activation="softmax", name="department")(hidden)

model = keras.Model(inputs=[title_input, meta_input], outputs=[priority_pred, department_pred])
model.summary()

# %%
layer_names = [layer.__class__.__name__ for layer in model.layers]
model.compile(
    optimizer=keras.optimizers.RMSprop(1e-2),
    loss={"priority": "binary_crossentropy", "department": "categorical_crossentropy"},
    loss_weights={"priority": 1.0, "department": 0.2},
)

# %%
model.fit(
    {"title": title_data, "meta": meta_data},
    {"priority": priority, "department": department_onehot},
    epochs=2, batch_size=16, verbose=0,
)
preds = model.predict({"title": title_data[:5], "meta": meta_data[:5]}, verbose=0)
pred_shapes = [p.shape for p in preds]
pred_shapes

# %%
model.save("tickets.keras")
reloaded = keras.models.load_model("tickets.keras")
again = reloaded.predict({"title": title_data[:5], "meta": meta_data[:5]}, verbose=0)
reloaded_same = bool(np.allclose(preds[0], again[0], atol=1e-6))
reloaded_same

