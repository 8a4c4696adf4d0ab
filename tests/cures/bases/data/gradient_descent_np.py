# library: numpy
# needs: matplotlib, numpy
# compare: theta, closed_form, costs

# %%
import numpy as np
import matplotlib.pyplot as plt

np.random.seed(21)
m = 60
area = np.random.uniform(40, 200, m)
rooms = np.random.randint(1, 6, m)
price = 1500 * area + 10000 * rooms + np.random.randn(m) * 5000
data = np.c_[area, rooms, price]
np.savetxt("ex1data.txt", data, delimiter=",", fmt="%.2f")

# %%
data = np.loadtxt("ex1data.txt", delimiter=",")
X = data[:, :2]
y = data[:, 2]
print("X:", X.shape, "y:", y.shape)

# %%
def feature_normalize(X):
    mu = X.mean(axis=0)
    sigma = X.std(axis=0)
    return (X - mu) / sigma, mu, sigma

X_norm, mu, sigma = feature_normalize(X)
Xb = np.hstack([np.ones((m, 1)), X_norm])
Xb[:2]

# %%
def compute_cost(X, y, theta):
    err = X.dot(theta) - y
    return err.T.dot(err) / (2 * len(y))

def gradient_descent(X, y, theta, alpha, num_iters):
    J_history = []
    for i in range(num_iters):
        grad = X.T.dot(X.dot(theta) - y) / len(y)
        theta = theta - alpha * grad
        J_history.append(compute_cost(X, y, theta))
    return theta, J_history

theta, costs = gradient_descent(Xb, y, np.zeros(3), alpha=0.1, num_iters=150)
theta.round(1)

# %%
plt.plot(costs)
plt.xlabel("iteration"); plt.ylabel("J")
plt.show()

# %%
closed_form = np.linalg.inv(Xb.T @ Xb) @ Xb.T @ y
flat = np.array([120, 3])
estimate = np.r_[1, (flat - mu) / sigma] @ theta
print(f"a flat of {flat[0]} sqm: {estimate:,.0f}")

