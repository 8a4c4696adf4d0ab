# library: keras
# needs: PIL, keras, numpy
# compare: class_names, first_shape, probs_sum, n_trainable

# %%
import os
import numpy as np
from PIL import Image
import keras
from keras import layers

keras.utils.set_random_seed(9)
rng = np.random.default_rng(9)
for cls in ("daisy", "tulip"):
    os.makedirs(f"flowers/{cls}", exist_ok=True)
    for i in range(8):
        base = [230, 220, 80] if cls == "daisy" else [200, 40, 90]
        px = np.clip(rng.normal(base, 25, (20, 20, 3)), 0, 255).astype(np.uint8)
        Image.fromarray(px).save(f"flowers/{cls}/{i}.jpg")

# %%
class_names = sorted(os.listdir("flowers"))
X, y = [], []
for label, name in enumerate(class_names):
    for fname in sorted(os.listdir(os.path.join("flowers", name))):
        img = Image.open(os.path.join("flowers", name, fname)).resize((16, 16))
        X.append(np.asarray(img))
        y.append(label)
X = np.stack(X).astype("float32")
y = np.array(y)
print(X.shape, y)

# %%
first_shape = X[0].shape
data_augmentation = keras.Sequential([layers.RandomFlip("horizontal"), layers.RandomRotation(0.1)])
augmented = data_augmentation(X[:2], training=True)
augmented.shape

# %%
num_classes = len(class_names)
base_model = keras.Sequential([layers.Input((16, 16, 3)), layers.Rescaling(1./255), layers.Conv2D(4, 3, activation="relu"), layers.GlobalMaxPooling2D()])
base_model.trainable = False
model = keras.Sequential([base_model, layers.Dense(num_classes, activation="softmax")])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(X, y, epochs=1, batch_size=8, verbose=0)
n_trainable = len(model.trainable_variables)
model.summary()

# %%
probs = model.predict(X[:3], verbose=0)
probs_sum = probs.sum(axis=1).round(4)
score = probs[0]
print("This image most likely belongs to {}".format(class_names[np.argmax(score)] in class_names))

