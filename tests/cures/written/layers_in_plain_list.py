# group: torch
# seen: 2026-11-29c
# fails: ValueError: optimizer got an empty parameter list
# cause: the blocks are kept in a plain Python list, so the module does not know their parameters; they belong into an nn.ModuleList.
# holds: sum(p.numel() for p in model.parameters()) -> 1153
# holds: len(losses) -> 60
# holds: losses[-1] < losses[0] -> True

# %%
import torch
import torch.nn as nn
import torch.nn.functional as F

# %%
class DeepMLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = [nn.Linear(a, b) for a, b in zip(sizes[:-1], sizes[1:])]

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = F.relu(layer(x))
        return self.layers[-1](x)

# %% [repaired]
class DeepMLP(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes[:-1], sizes[1:])])

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = F.relu(layer(x))
        return self.layers[-1](x)

# %%
torch.manual_seed(4)
x = torch.linspace(-3, 3, 200).unsqueeze(1)
y = torch.sin(x) + 0.05 * torch.randn_like(x)

# %%
model = DeepMLP([1, 32, 32, 1])
print(model)
print("output:", model(x).shape)

# %%
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)

# %%
losses = []
for step in range(60):
    loss = F.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
print("final", losses[-1])
