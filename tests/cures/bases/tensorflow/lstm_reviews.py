# library: keras
# needs: numpy, tensorflow
# compare: word_index, padded, preds_shape, kept

# %%
import numpy as np
import tensorflow as tf
from tensorflow.keras.models import Sequential
from tensorflow.keras.layers import Dense, Dropout, Embedding, Input, LSTM
from tensorflow.keras.utils import pad_sequences
from tensorflow.keras.callbacks import EarlyStopping

tf.keras.utils.set_random_seed(6)

# %%
sentences = ["what a lovely day", "lovely lovely coffee", "what a rotten day", "rotten service and cold coffee",
             "nice staff lovely place", "cold food rotten place"] * 4
sentiments = np.array([1, 1, 0, 0, 1, 0] * 4)

word_index = {}
for s in sentences:
    for w in s.split():
        if w not in word_index:
            word_index[w] = len(word_index) + 1
vocab_size = len(word_index) + 1
print("vocabulary", vocab_size)

# %%
sequences = [[word_index[w] for w in s.split()] for s in sentences]
MAXLEN = 6
padded = pad_sequences(sequences, maxlen=MAXLEN, padding="post")
padded[:2]

# %%
model = Sequential([
    Input(shape=(MAXLEN,)),
    Embedding(input_dim=vocab_size, output_dim=8),
    LSTM(8),
    Dropout(0.2),
    Dense(1, activation="sigmoid"),
])
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])

# %%
es = EarlyStopping(monitor="val_loss", patience=1, restore_best_weights=True)
hist = model.fit(padded, sentiments, epochs=2, batch_size=8, validation_split=0.25, callbacks=[es], verbose=0)
kept = len(hist.history["loss"])

# %%
def to_padded(text):
    return pad_sequences([[word_index.get(w, 0) for w in text.lower().split()]], maxlen=MAXLEN, padding="post")

preds = model.predict(np.vstack([to_padded("Lovely coffee"), to_padded("rotten food")]), verbose=0)
preds_shape = preds.shape
preds_shape

