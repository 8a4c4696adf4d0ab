# library: torch
# needs: numpy, torch
# compare: mean_pred, spread, inside

# %%
import torch
import torch.nn as nn
import numpy as np

g = torch.Generator().manual_seed(5)
x = torch.rand(50, 1, generator=g) * 4 - 2
y = x ** 3 / 3 + torch.randn(50, 1, generator=g) * 0.2
x.shape, y.shape, x.dtype

# %%
def build(p=0.1, width=32):
    layers = []
    size = 1
    for _ in range(2):
        layers += [nn.Linear(size, width), nn.ReLU(), nn.Dropout(p)]
        size = width
    layers.append(nn.Linear(size, 1))
    return nn.Sequential(*layers)

torch.manual_seed(5)
net = build()
print(len(net), "layers")

# %%
opt = torch.optim.RMSprop(net.parameters(), lr=5e-3, weight_decay=1e-4)
sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=3, factor=0.5)
net.train()
for epoch in range(20):
    for i in range(0, len(x), 25):
        xb, yb = x[i:i + 25], y[i:i + 25]
        loss = nn.functional.huber_loss(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    sched.step(loss.item())
print(f"{loss.item():.4f}")

# %%
grid = torch.linspace(-3, 3, 13).unsqueeze(1)
net.train()   # keep dropout on
torch.manual_seed(1)
with torch.no_grad():
    samples = torch.stack([net(grid).squeeze(1) for _ in range(20)])
samples.shape

# %%
mean_pred = samples.mean(dim=0).numpy()
spread = samples.std(dim=0).numpy()
truth = (grid ** 3 / 3).squeeze(1).numpy()
inside = int((np.abs(truth - mean_pred) < 2 * spread).sum())
print(inside, "of", len(truth), "inside two sigma")

