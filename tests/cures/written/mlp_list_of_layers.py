# group: torch
# seen: 2026-11-30g
# fails: ValueError: optimizer got an empty parameter list
# cause: the layers sit in a plain Python list, so the module does not register them and has no parameters; nn.ModuleList.
# holds: len(list(mlp.parameters())) -> 6
# holds: sum(p.numel() for p in mlp.parameters()) -> 321
# holds: hist[-1] < hist[0] -> True

# %%
import torch
from torch import nn

# %%
class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = []
        for n_in, n_out in zip(sizes[:-1], sizes[1:]):
            self.layers.append(nn.Linear(n_in, n_out))
    def forward(self, x):
        for lin in self.layers[:-1]:
            x = torch.tanh(lin(x))
        return self.layers[-1](x)

# %% [repaired]
class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList()
        for n_in, n_out in zip(sizes[:-1], sizes[1:]):
            self.layers.append(nn.Linear(n_in, n_out))
    def forward(self, x):
        for lin in self.layers[:-1]:
            x = torch.tanh(lin(x))
        return self.layers[-1](x)

# %%
torch.manual_seed(3)
mlp = MLP([1, 16, 16, 1])
x = torch.linspace(-3, 3, 64).unsqueeze(1)
y = torch.sin(x)
print(mlp(x).shape)   # forward works

# %%
opt = torch.optim.Adam(mlp.parameters(), lr=0.02)

# %%
hist = []
for step in range(100):
    opt.zero_grad()
    loss = ((mlp(x) - y) ** 2).mean()
    loss.backward(); opt.step()
    hist.append(loss.item())
print(hist[0], hist[-1])
