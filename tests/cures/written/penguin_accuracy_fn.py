# group: torch
# seen: 2026-11-30f
# fails: AttributeError: 'bool' object has no attribute 'float'
# cause: torch.max(x, dim) gives a (values, indices) tuple, and predict() returns it whole; comparing it to the labels gives a bool. Only the indices are wanted.
# holds: str(y_hat.dtype) -> 'torch.int64'
# holds: y_hat.shape -> torch.Size([180])
# holds: bool(0.8 < acc <= 1) -> True

# %%
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import make_blobs

# %%
Xn, yn = make_blobs(n_samples=180, centers=3, n_features=4, cluster_std=1.5, random_state=12)
X = torch.tensor(Xn, dtype=torch.float32)
y = torch.tensor(yn)
X = (X - X.mean(0)) / X.std(0)
print(X.shape, y.bincount())

# %%
def predict(net, x):
    net.eval()
    with torch.no_grad():
        return torch.max(net(x), dim=1)

# %% [repaired]
def predict(net, x):
    net.eval()
    with torch.no_grad():
        return torch.max(net(x), dim=1).indices

# %%
torch.manual_seed(1)
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
adam = torch.optim.Adam(net.parameters(), lr=.02)
for ep in range(80):
    adam.zero_grad()
    loss = F.cross_entropy(net(X), y)
    loss.backward()
    adam.step()
loss

# %%
y_hat = predict(net, X)
acc = (y_hat == y).float().mean().item()
print(f"acc = {acc:.2%}")

# %%
wrong = (y_hat != y).nonzero().flatten()
print(len(wrong), "wrong:", wrong[:5])
