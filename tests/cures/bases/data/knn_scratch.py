# library: numpy
# needs: numpy
# compare: accuracy, dists_shape, votes

# %%
import numpy as np

class KNN:
    """k nearest neighbours without sklearn"""

    def __init__(self, k=3):
        self.k = k

    def fit(self, X, y):
        self.X_train = X
        self.y_train = y
        return self

    def distances(self, X):
        # (a-b)^2 = a^2 - 2ab + b^2
        a2 = (X ** 2).sum(axis=1)[:, np.newaxis]
        b2 = (self.X_train ** 2).sum(axis=1)[np.newaxis, :]
        return np.sqrt(np.maximum(a2 - 2 * X.dot(self.X_train.T) + b2, 0))

    def predict(self, X):
        d = self.distances(X)
        nearest = np.argsort(d, axis=1)[:, :self.k]
        labels = self.y_train[nearest]
        return np.array([np.bincount(row).argmax() for row in labels])

# %%
np.random.seed(2)
class_a = np.random.randn(30, 2) + [0, 3]
class_b = np.random.randn(30, 2) + [3, 0]
X = np.concatenate([class_a, class_b])
y = np.array([0] * 30 + [1] * 30)
perm = np.random.permutation(len(X))
X, y = X[perm], y[perm]
X.shape

# %%
X_train, X_test = X[:45], X[45:]
y_train, y_test = y[:45], y[45:]

# %%
clf = KNN(k=5).fit(X_train, y_train)
dists = clf.distances(X_test)
dists_shape = dists.shape
dists_shape

# %%
y_hat = clf.predict(X_test)
accuracy = np.mean(y_hat == y_test)
votes = np.bincount(y_hat, minlength=2)
print(accuracy, votes)

