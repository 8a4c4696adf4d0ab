# group: torch
# seen: 2026-11-29
# fails: ValueError: Target size (torch.Size([64])) must be the same as input size (torch.Size([64, 1]))
# cause: The targets have shape (N,), the net gives (N, 1); BCEWithLogitsLoss wants them alike. y is made in cell 3.
# holds: acc > 0.9 -> True
# holds: acc <= 1.0 -> True
# holds: net(X_te).numel() -> 143
# holds: round(float(y_te.sum()),1) -> 90.0

# %% [markdown]
# # Breast cancer, small MLP

# %%
import torch, torch.nn as nn
from torch.utils.data import TensorDataset, DataLoader
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
torch.manual_seed(1);

# %%
data = load_breast_cancer()
X_tr, X_te, y_tr, y_te = train_test_split(data.data, data.target, random_state=0, stratify=data.target)

# %%
mu, sd = X_tr.mean(0), X_tr.std(0)
X_tr, X_te = [torch.tensor((a - mu) / sd, dtype=torch.float32) for a in (X_tr, X_te)]
y_tr, y_te = [torch.tensor(a, dtype=torch.float32) for a in (y_tr, y_te)]
dl = DataLoader(TensorDataset(X_tr, y_tr), batch_size=64, shuffle=True)

# %% [repaired]
mu, sd = X_tr.mean(0), X_tr.std(0)
X_tr, X_te = [torch.tensor((a - mu) / sd, dtype=torch.float32) for a in (X_tr, X_te)]
y_tr, y_te = [torch.tensor(a, dtype=torch.float32).unsqueeze(1) for a in (y_tr, y_te)]
dl = DataLoader(TensorDataset(X_tr, y_tr), batch_size=64, shuffle=True)

# %%
class Net(nn.Module):
    def __init__(self, n_in, hidden=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, hidden), nn.ReLU(), nn.Dropout(.2))
        self.head = nn.Linear(hidden, 1)
    def forward(self, x):
        return self.head(self.body(x))

# %%
net = Net(X_tr.shape[1])
opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
crit = nn.BCEWithLogitsLoss()

# %%
for epoch in range(20):
    net.train()
    for xb, yb in dl:
        opt.zero_grad()
        loss = crit(net(xb), yb)
        loss.backward()
        opt.step()

# %%
net.eval()
with torch.no_grad():
    pred = (torch.sigmoid(net(X_te)) > .5).float()
acc = (pred == y_te).float().mean().item()
print("test acc", acc)
