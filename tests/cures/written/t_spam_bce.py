# group: torch
# seen: 2026-11-29b
# fails: ValueError: Target size (torch.Size([64])) must be the same as input size (torch.Size([64, 1]))
# cause: the model gives (64, 1), the labels are (64,); BCEWithLogitsLoss wants the same shape.
# holds: bool(hist[-1] < 0.5 * hist[0]) -> True
# holds: bool(acc > 0.9) -> True
# holds: len(hist) -> 60

# %%
import torch
import torch.nn as nn
import matplotlib.pyplot as plt

# %%
torch.manual_seed(4)
x = torch.randn(64, 6)
y = (x[:, 0] + x[:, 1] > 0).float()
print(x.shape, y.shape, y.mean())

# %%
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
loss_fn = nn.BCEWithLogitsLoss()
opt = torch.optim.Adam(model.parameters(), lr=0.03)

# %%
hist = []
for epoch in range(60):
    opt.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    opt.step()
    hist.append(loss.item())

# %% [repaired]
hist = []
for epoch in range(60):
    opt.zero_grad()
    loss = loss_fn(model(x).squeeze(1), y)
    loss.backward()
    opt.step()
    hist.append(loss.item())

# %%
plt.plot(hist); plt.title("loss"); plt.show()

# %%
with torch.no_grad():
    acc = ((model(x).squeeze() > 0) == (y > 0.5)).float().mean().item()
print(f"{acc:.2%}")
