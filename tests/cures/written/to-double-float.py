# group: torch
# seen: 2026-11-29
# fails: RuntimeError: mat1 and mat2 must have the same dtype, but got Double and Float
# cause: The dataset makes tensors from float64 numpy arrays (from_numpy keeps Double), the Linear weights are
#   Float.
# holds: len(history) -> 15
# holds: next(model.parameters()).numel() -> 320
# holds: history[-1] < history[0]*0.7 -> True
# holds: len(train_dl) -> 14

# %%
import numpy as np
import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader
from sklearn.datasets import load_diabetes
torch.manual_seed(0)

# %%
X, y = load_diabetes(return_X_y=True)
X = (X - X.mean(0)) / X.std(0)
y = (y - y.mean()) / y.std()
print(X.shape, y.shape)

# %%
class TabularDS(Dataset):
    def __init__(self, X, y):
        self.X, self.y = X, y
    def __len__(self):
        return len(self.X)
    def __getitem__(self, i):
        return torch.from_numpy(self.X[i]), torch.tensor(self.y[i])

train_dl = DataLoader(TabularDS(X, y), batch_size=32, shuffle=True)

# %% [repaired]
class TabularDS(Dataset):
    def __init__(self, X, y):
        self.X, self.y = X, y
    def __len__(self):
        return len(self.X)
    def __getitem__(self, i):
        return torch.from_numpy(self.X[i]).float(), torch.tensor(self.y[i]).float()

train_dl = DataLoader(TabularDS(X, y), batch_size=32, shuffle=True)

# %%
model = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
loss_fn = nn.MSELoss()
sum(p.numel() for p in model.parameters())

# %%
history = []
for epoch in range(15):
    tot = 0.
    for xb, yb in train_dl:
        pred = model(xb).squeeze(1)
        loss = loss_fn(pred, yb)
        opt.zero_grad(); loss.backward(); opt.step()
        tot += loss.item()
    history.append(tot / len(train_dl))

# %%
print([round(h, 3) for h in history])
