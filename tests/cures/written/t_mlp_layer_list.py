# group: torch
# seen: 2026-11-29b
# fails: ValueError: optimizer got an empty parameter list
# cause: layers in a plain Python list are not registered with the module; nn.ModuleList is needed.
# holds: n_par -> 481
# holds: bool(last < first) -> True
# holds: len(list(mlp.parameters())) -> 6

# %%
import torch
from torch import nn

# %%
class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = [nn.Linear(a, b) for a, b in zip(sizes[:-1], sizes[1:])]

    def forward(self, x):
        for lay in self.layers[:-1]:
            x = torch.relu(lay(x))
        return self.layers[-1](x)

# %% [repaired]
class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes[:-1], sizes[1:]))

    def forward(self, x):
        for lay in self.layers[:-1]:
            x = torch.relu(lay(x))
        return self.layers[-1](x)

# %%
torch.manual_seed(2)
mlp = MLP([2, 16, 24, 1])
X = torch.rand(100, 2)
Y = (X[:, :1] * X[:, 1:])
print(mlp(X).shape)

# %%
n_par = sum(p.numel() for p in mlp.parameters())
print("parameters:", n_par)

# %%
optim = torch.optim.SGD(mlp.parameters(), lr=0.1)
for step in range(50):
    loss = ((mlp(X) - Y) ** 2).mean()
    optim.zero_grad(); loss.backward(); optim.step()
    if step == 0:
        first = loss.item()
last = loss.item()

# %%
print(f"{first:.4f} -> {last:.4f}")
