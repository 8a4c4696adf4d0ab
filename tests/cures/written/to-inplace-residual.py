# group: torch
# seen: 2026-11-28
# fails: RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [256, 32]], which is output 0 of Sigmoid, is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).
# cause: Block.forward adds the skip in place to a sigmoid output (h += x), which sigmoid needs for its gradient;
#   backward fails in the training cell.
# holds: len(losses) -> 150
# holds: losses[-1] < losses[0] -> True
# holds: all(p.grad is not None for p in net.parameters()) -> True

# %%
import torch
from torch import nn
import matplotlib.pyplot as plt
torch.manual_seed(5);

# %%
x = torch.linspace(-3, 3, 256).unsqueeze(1)
y = torch.sin(2 * x) + .3 * x + .1 * torch.randn_like(x)
plt.plot(x, y, ".");

# %%
class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.lin = nn.Linear(dim, dim)

    def forward(self, x):
        h = torch.sigmoid(self.lin(x))
        h += x
        return h

class ResNet1d(nn.Module):
    def __init__(self, dim=32, depth=3):
        super().__init__()
        self.inp = nn.Linear(1, dim)
        self.blocks = nn.Sequential(*[Block(dim) for _ in range(depth)])
        self.out = nn.Linear(dim, 1)

    def forward(self, x):
        return self.out(self.blocks(self.inp(x)))

# %% [repaired]
class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.lin = nn.Linear(dim, dim)

    def forward(self, x):
        h = torch.sigmoid(self.lin(x))
        h = h + x
        return h

class ResNet1d(nn.Module):
    def __init__(self, dim=32, depth=3):
        super().__init__()
        self.inp = nn.Linear(1, dim)
        self.blocks = nn.Sequential(*[Block(dim) for _ in range(depth)])
        self.out = nn.Linear(dim, 1)

    def forward(self, x):
        return self.out(self.blocks(self.inp(x)))

# %%
net = ResNet1d()
net(x[:3])

# %%
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
losses = []
for step in range(150):
    opt.zero_grad()
    loss = ((net(x) - y) ** 2).mean()
    loss.backward()
    opt.step()
    losses.append(loss.item())

# %%
plt.plot(x, y, "."); plt.plot(x, net(x).detach())
print(losses[-1])
