# library: keras
# needs: matplotlib, numpy, sklearn, tensorflow
# compare: shapes, label_names, param_counts, n_epochs, conf_total

# %%
import numpy as np
import matplotlib.pyplot as plt

# %%
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras.models import Sequential
from tensorflow.keras.layers import Conv2D, MaxPooling2D, Dense, Flatten, Dropout, Input
from tensorflow.keras.utils import to_categorical

# %% [markdown]
# ### Load the dataset

# %%
keras.utils.set_random_seed(5)
def load_data():
    r = np.random.RandomState(5)
    y = r.randint(0, 3, (60, 1))
    x = r.randint(0, 120, (60, 12, 12, 3))
    for i, k in enumerate(y[:, 0]):
        x[i, ..., k] += 100
    return (x[:45].astype('uint8'), y[:45]), (x[45:].astype('uint8'), y[45:])

(X_train, y_train), (X_test, y_test) = load_data()

# %%
X_train.shape

# %%
y_train[:5]

# %%
label_names = ["red", "green", "blue"]
def plot_sample(X, y, index):
    plt.figure(figsize=(2, 2))
    plt.imshow(X[index])
    plt.xlabel(label_names[y[index]])

plot_sample(X_train, y_train.reshape(-1,), 3)
plt.show()

# %% [markdown]
# ### Normalizing the training data

# %%
X_train = X_train.astype('float32') / 255
X_test = X_test.astype('float32') / 255
Y_train = to_categorical(y_train, 3)
Y_test = to_categorical(y_test, 3)
shapes = [X_train.shape, Y_train.shape, X_test.shape, Y_test.shape]
shapes

# %% [markdown]
# ### Build a CNN

# %%
model = Sequential()
model.add(Input(shape=X_train.shape[1:]))
model.add(Conv2D(8, (3, 3), padding='same', activation='relu'))
model.add(MaxPooling2D(pool_size=(2, 2)))
model.add(Dropout(0.25))
model.add(Flatten())
model.add(Dense(16, activation='relu'))
model.add(Dense(3, activation='softmax'))
model.summary()

# %%
param_counts = [layer.count_params() for layer in model.layers]
param_counts

# %%
model.compile(loss='categorical_crossentropy', optimizer=keras.optimizers.RMSprop(learning_rate=0.001), metrics=['accuracy'])

# %%
h = model.fit(X_train, Y_train, batch_size=15, epochs=2, validation_data=(X_test, Y_test), shuffle=True, verbose=0)
n_epochs = len(h.history['loss'])

# %% [markdown]
# ### Accuracy

# %%
plt.plot(h.history['accuracy'])
plt.plot(h.history['val_accuracy'])
plt.title('model accuracy')
plt.legend(['train', 'test'], loc='upper left')
plt.show()

# %%
from sklearn.metrics import confusion_matrix
y_pred = model.predict(X_test, verbose=0)
y_classes = [np.argmax(element) for element in y_pred]
conf = confusion_matrix(y_test, y_classes, labels=[0, 1, 2])
conf_total = int(conf.sum())
print("predicted", len(y_classes), "of", conf_total)
