# library: numpy
# needs: numpy
# compare: losses, accuracy, W1_shape

# %%
import numpy as np

np.random.seed(0)

# spiral data (cs231n)
N, D, K = 40, 2, 3
X = np.zeros((N * K, D))
y = np.zeros(N * K, dtype='uint8')
for j in range(K):
    ix = range(N * j, N * (j + 1))
    r = np.linspace(0.0, 1, N)
    t = np.linspace(j * 4, (j + 1) * 4, N) + np.random.randn(N) * 0.2
    X[ix] = np.c_[r * np.sin(t), r * np.cos(t)]
    y[ix] = j
X.shape, y.shape

# %%
class TwoLayerNet:
    def __init__(self, input_size, hidden_size, output_size, std=0.1):
        self.params = {
            'W1': std * np.random.randn(input_size, hidden_size),
            'b1': np.zeros(hidden_size),
            'W2': std * np.random.randn(hidden_size, output_size),
            'b2': np.zeros(output_size),
        }

    def forward(self, X):
        h = np.maximum(0, X @ self.params['W1'] + self.params['b1'])
        scores = h @ self.params['W2'] + self.params['b2']
        return h, scores

    def loss(self, X, y, reg=1e-3):
        W1, W2 = self.params['W1'], self.params['W2']
        h, scores = self.forward(X)
        shifted = scores - scores.max(axis=1, keepdims=True)
        probs = np.exp(shifted) / np.exp(shifted).sum(axis=1, keepdims=True)
        n = X.shape[0]
        data_loss = -np.log(probs[np.arange(n), y]).mean()
        reg_loss = 0.5 * reg * ((W1 ** 2).sum() + (W2 ** 2).sum())

        dscores = probs.copy()
        dscores[np.arange(n), y] -= 1
        dscores /= n
        grads = {'W2': h.T @ dscores + reg * W2, 'b2': dscores.sum(axis=0)}
        dh = dscores @ W2.T
        dh[h <= 0] = 0
        grads['W1'] = X.T @ dh + reg * W1
        grads['b1'] = dh.sum(axis=0)
        return data_loss + reg_loss, grads

# %%
net = TwoLayerNet(D, 30, K)
loss0, grads = net.loss(X, y)
for name, g in grads.items():
    print(name, g.shape)
print('initial loss', round(loss0, 4))

# %%
losses = []
for i in range(200):
    loss, grads = net.loss(X, y)
    for p in net.params:
        net.params[p] -= 1.0 * grads[p]
    if i % 50 == 0:
        losses.append(round(float(loss), 4))
        print(i, losses[-1])

# %%
_, scores = net.forward(X)
predicted_class = np.argmax(scores, axis=1)
accuracy = np.mean(predicted_class == y)
W1_shape = net.params['W1'].shape
print('training accuracy: %.2f' % accuracy)

