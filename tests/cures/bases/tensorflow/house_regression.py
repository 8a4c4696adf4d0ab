# library: keras
# needs: keras, numpy, pandas, sklearn
# compare: train_shape, columns, metric_names, pred_shape

# %%
import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from keras.models import Sequential
from keras.layers import Dense, Input
from keras.utils import set_random_seed

set_random_seed(0)

# %%
rng = np.random.default_rng(0)
df = pd.DataFrame({
    "LotArea": rng.integers(2000, 20000, 90),
    "OverallQual": rng.integers(1, 11, 90),
    "Neighborhood": rng.choice(["CollgCr", "Edwards", "OldTown"], 90),
    "YearBuilt": rng.integers(1900, 2011, 90),
})
df["SalePrice"] = 20000 * df["OverallQual"] + 4 * df["LotArea"] + rng.normal(0, 5000, 90)
df.to_csv("train.csv", index_label="Id")

# %%
df = pd.read_csv("train.csv").set_index("Id")
df = pd.get_dummies(df, columns=["Neighborhood"], dtype="float64")
df.head()

# %%
X = df.drop(["SalePrice"], axis=1)
y = np.log1p(df["SalePrice"])
columns = list(X.columns)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=0)
sc = StandardScaler()
X_train = sc.fit_transform(X_train)
X_test = sc.transform(X_test)
train_shape = X_train.shape
train_shape

# %%
model = Sequential()
model.add(Input(shape=(X_train.shape[1],)))
model.add(Dense(16, activation="relu", kernel_initializer="he_normal"))
model.add(Dense(1))
model.compile(loss="mean_squared_error", optimizer="adam", metrics=["mae"])

# %%
history = model.fit(X_train, y_train, batch_size=16, epochs=2, verbose=0, validation_split=0.1)
metric_names = sorted(history.history)
loss, mae = model.evaluate(X_test, y_test, verbose=0)
y_pred = np.expm1(model.predict(X_test, verbose=0))
pred_shape = y_pred.flatten().shape
print(pred_shape, metric_names)

