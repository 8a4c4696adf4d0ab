# group: torch
# seen: 2026-11-29e
# fails: ValueError: optimizer got an empty parameter list
# cause: layers kept in a Python list aren't registered as modules, so parameters() is empty; nn.ModuleList.
# holds: len(list(model.parameters())) -> 6
# holds: losses[-1] < losses[0] -> True

# %%
import torch
from torch import nn

# %%
torch.manual_seed(3)
x = torch.linspace(-2, 2, 100).unsqueeze(1)
y = x ** 2 + 0.05 * torch.randn_like(x)

# %%
class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = [nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])]

    def forward(self, h):
        for l in self.layers[:-1]:
            h = torch.tanh(l(h))
        return self.layers[-1](h)

# %% [repaired]
class MLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])

    def forward(self, h):
        for l in self.layers[:-1]:
            h = torch.tanh(l(h))
        return self.layers[-1](h)

# %%
model = MLP([1, 16, 16, 1])
model(x).shape

# %%
opt = torch.optim.Adam(model.parameters(), lr=0.01)
losses = []
for step in range(100):
    opt.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    opt.step()
    losses.append(loss.item())

# %%
print(losses[0], "->", losses[-1])
