# group: torch
# seen: 2026-11-29c
# fails: RuntimeError: expected target dtype to be Long or Byte, but got Float
# cause: the Dataset gives the class as a float32 tensor; CrossEntropyLoss wants class numbers as int64.
# holds: str(ds[0][1].dtype) -> 'torch.int64'
# holds: next(iter(loader))[1].shape -> torch.Size([24])
# holds: len(history) -> 3

# %%
import numpy as np
import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader

torch.manual_seed(0)

# %%
rng = np.random.default_rng(0)
species = rng.integers(0, 3, 120)
measure = rng.normal(0, 1, (120, 4)) + species[:, None] * 1.5

# %%
class LeafData(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return (torch.tensor(self.x[i], dtype=torch.float32),
                torch.tensor(self.y[i], dtype=torch.float32))

# %% [repaired]
class LeafData(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return (torch.tensor(self.x[i], dtype=torch.float32),
                torch.tensor(self.y[i], dtype=torch.long))

# %%
ds = LeafData(measure, species)
loader = DataLoader(ds, batch_size=24, shuffle=True)
print(len(ds), "leaves,", len(loader), "batches")

# %%
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.Adam(net.parameters(), lr=0.02)
loss_fn = nn.CrossEntropyLoss()

# %%
history = []
for epoch in range(3):
    for xb, yb in loader:
        opt.zero_grad()
        loss = loss_fn(net(xb), yb)
        loss.backward()
        opt.step()
    history.append(loss.item())
    print(epoch, loss.item())
