# group: torch
# seen: 2026-11-30f
# fails: ValueError: optimizer got an empty parameter list
# cause: the layers are kept in a plain Python list, so the module does not register them and has no parameters; nn.ModuleList is needed.
# holds: sum(p.numel() for p in net.parameters()) -> 705
# holds: bool(history[-1] < history[0]) -> True
# holds: len(net.state_dict()) -> 6

# %%
import torch
from torch import nn
import matplotlib.pyplot as plt
torch.manual_seed(0)

# %%
carat = torch.rand(256, 1) * 2
other = torch.rand(256, 3)
X = torch.cat([carat, other], dim=1)
price = 4 * carat ** 1.5 + other.sum(1, keepdim=True) + 0.1 * torch.randn(256, 1)
X.shape, price.shape

# %%
class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = [nn.Linear(a, b) for a, b in zip(sizes[:-1], sizes[1:])]

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return self.layers[-1](x)

# %% [repaired]
class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes[:-1], sizes[1:])])

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        return self.layers[-1](x)

# %%
net = MLP([4, 32, 16, 1])
print(net(X[:2]))

# %%
opt = torch.optim.Adam(net.parameters(), lr=0.01)
history = []
for epoch in range(60):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(X), price)
    loss.backward()
    opt.step()
    history.append(loss.item())

# %%
plt.plot(history); plt.yscale("log"); plt.show()
