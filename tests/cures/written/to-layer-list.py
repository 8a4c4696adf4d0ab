# group: torch
# seen: 2026-11-28
# fails: ValueError: optimizer got an empty parameter list
# cause: The layers are kept in a plain list (self.layers = [...]), which nn.Module does not register; the optimizer
#   two cells later gets no parameters.
# holds: len(list(ae.parameters())) -> 8
# holds: track[-1] < track[0] -> True
# holds: ae(X[:2]).shape -> torch.Size([2, 64])

# %% [markdown]
# Tiny autoencoder on digits

# %%
import torch
from torch import nn
from sklearn.datasets import load_digits
torch.manual_seed(0)

# %%
X = torch.tensor(load_digits().data / 16).float()
X.shape

# %%
class AutoEncoder(nn.Module):
    def __init__(self, sizes=(64, 24, 8, 24, 64)):
        super().__init__()
        self.layers = [nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])]
        self.act = nn.ReLU()

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i < len(self.layers) - 1:
                x = self.act(x)
        return x

# %% [repaired]
class AutoEncoder(nn.Module):
    def __init__(self, sizes=(64, 24, 8, 24, 64)):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])])
        self.act = nn.ReLU()

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x)
            if i < len(self.layers) - 1:
                x = self.act(x)
        return x

# %%
ae = AutoEncoder()
((ae(X) - X) ** 2).mean()

# %%
opt = torch.optim.Adam(ae.parameters(), lr=5e-3)
track = []
for epoch in range(20):
    for i in range(0, len(X), 128):
        xb = X[i:i + 128]
        loss = nn.functional.mse_loss(ae(xb), xb)
        opt.zero_grad(); loss.backward(); opt.step()
    track.append(loss.item())

# %%
print(track[0], track[-1])
