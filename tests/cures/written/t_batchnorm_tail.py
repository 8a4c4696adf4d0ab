# group: torch
# seen: 2026-11-29b
# fails: ValueError: Expected more than 1 value per channel when training, got input size torch.Size([1, 16])
# cause: 65 samples in batches of 16 leave a last batch with one sample, which BatchNorm1d cannot use in training; drop_last=True.
# holds: sizes -> [16, 16, 16, 16]
# holds: int(net[1].num_batches_tracked) -> 4

# %%
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

g = torch.Generator().manual_seed(7)

# %%
feat = torch.randn(65, 10, generator=g)
lab = torch.randint(0, 3, (65,), generator=g)
print(feat.shape, lab.bincount())

# %%
loader = DataLoader(TensorDataset(feat, lab), batch_size=16, shuffle=True, generator=g)

# %% [repaired]
# 65 = 4 * 16 + 1: leave out the last single sample (BatchNorm)
loader = DataLoader(TensorDataset(feat, lab), batch_size=16, shuffle=True, generator=g, drop_last=True)

# %%
net = nn.Sequential(nn.Linear(10, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))
opt = optim.AdamW(net.parameters(), lr=1e-2)
crit = nn.CrossEntropyLoss()

# %%
net.train()
sizes = []
for xb, yb in loader:
    opt.zero_grad()
    loss = crit(net(xb), yb)
    loss.backward()
    opt.step()
    sizes.append(len(xb))

# %%
print(sizes, f"last loss {loss.item():.3f}")
