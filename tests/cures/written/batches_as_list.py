# group: torch
# seen: 2026-11-29e
# fails: TypeError: linear(): argument 'input' (position 1) must be Tensor, not list
# cause: a loader of a TensorDataset gives a list with one tensor per batch, it needs to be unpacked.
# holds: tuple(codes.shape) -> (50, 3)
# holds: str(codes.dtype) -> 'torch.float32'

# %%
import torch
import torch.nn as nn
from torch.utils.data import TensorDataset, DataLoader

# %%
torch.manual_seed(4)
spectra = torch.rand(50, 64)
loader = DataLoader(TensorDataset(spectra), batch_size=16)
len(loader)

# %%
class AE(nn.Module):
    def __init__(self, d, k):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, 20), nn.ReLU(), nn.Linear(20, k))
        self.dec = nn.Sequential(nn.Linear(k, 20), nn.ReLU(), nn.Linear(20, d))
    def forward(self, x):
        return self.dec(self.enc(x))

ae = AE(64, 3)

# %%
opt = torch.optim.Adam(ae.parameters(), lr=1e-3)
for epoch in range(3):
    for batch in loader:
        opt.zero_grad()
        loss = nn.functional.mse_loss(ae(batch), batch)
        loss.backward()
        opt.step()
    print(epoch, loss.item())

# %% [repaired]
opt = torch.optim.Adam(ae.parameters(), lr=1e-3)
for epoch in range(3):
    for (batch,) in loader:
        opt.zero_grad()
        loss = nn.functional.mse_loss(ae(batch), batch)
        loss.backward()
        opt.step()
    print(epoch, loss.item())

# %%
with torch.no_grad():
    codes = ae.enc(spectra)
codes[:2]
