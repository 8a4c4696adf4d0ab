# group: torch
# seen: 2026-11-29
# fails: RuntimeError: Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
# cause: run_epoch returns the loss as a tensor with its graph; the list of them is turned into a numpy array for
#   plotting two cells later, which needs detach.
# holds: len(losses) -> 12
# holds: round(float(arr[0]),2) == round(float(losses[0]),2) -> True
# holds: arr.shape -> (12,)
# holds: bool(arr[-1] < arr[0]) -> True

# %%
import numpy as np
import torch
import matplotlib.pyplot as plt
from torch import nn
torch.manual_seed(7)

# %%
x = torch.rand(512, 4)
y = (x ** 2).sum(1, keepdim=True) + .05 * torch.randn(512, 1)

# %%
def run_epoch(model, opt, x, y, bs=64):
    total = 0.0
    perm = torch.randperm(len(x))
    for i in range(0, len(x), bs):
        idx = perm[i:i + bs]
        xb, yb = x[idx], y[idx]
        loss = nn.functional.mse_loss(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss * len(xb)
    return total / len(x)

# %% [repaired]
def run_epoch(model, opt, x, y, bs=64):
    total = 0.0
    perm = torch.randperm(len(x))
    for i in range(0, len(x), bs):
        idx = perm[i:i + bs]
        xb, yb = x[idx], y[idx]
        loss = nn.functional.mse_loss(model(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(xb)
    return total / len(x)

# %%
model = nn.Sequential(nn.Linear(4, 20), nn.GELU(), nn.Linear(20, 1))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
losses = []
for e in range(12):
    losses.append(run_epoch(model, opt, x, y))
    if e % 4 == 0:
        print(f"epoch {e}: {losses[-1]:.4f}")

# %%
best = min(losses)
print("best", float(best))

# %%
arr = np.array(losses)
smooth = np.convolve(arr, np.ones(3) / 3, mode="valid")
plt.semilogy(arr); plt.semilogy(range(1, 11), smooth);
