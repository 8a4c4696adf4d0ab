# group: torch
# seen: 2026-11-29c
# fails: RuntimeError: Given groups=1, weight of size [8, 3, 3, 3], expected input[16, 20, 20, 3] to have 3 channels, but got 20 channels instead
# cause: the tiles are numpy images (height, width, channel) and the data cell never permutes them to the channel-first order of Conv2d.
# holds: tuple(train_ds.tensors[0].shape) -> (64, 3, 20, 20)
# holds: bool(np.allclose(train_ds.tensors[0][5, 1].numpy() * 255, tiles[5, :, :, 1], atol=1e-3)) -> True
# holds: len(epoch_loss) -> 4

# %%
import numpy as np
import torch
from torch import nn
from torch.utils.data import TensorDataset, DataLoader

# %%
rng = np.random.default_rng(30)
# satellite tiles: water (bluish) or field (greenish)
kind = rng.integers(0, 2, 64)
tiles = rng.integers(0, 120, (64, 20, 20, 3)).astype("uint8")
tiles[kind == 0, :, :, 2] += 90
tiles[kind == 1, :, :, 1] += 90
tiles.shape

# %%
X = torch.from_numpy(tiles).float() / 255
y = torch.from_numpy(kind)
train_ds = TensorDataset(X, y)

# %% [repaired]
X = torch.from_numpy(tiles).permute(0, 3, 1, 2).float() / 255
y = torch.from_numpy(kind)
train_ds = TensorDataset(X, y)

# %%
dl = DataLoader(train_ds, batch_size=16, shuffle=True)

# %%
torch.manual_seed(0)
cnn = nn.Sequential(
    nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 2)
)
opt = torch.optim.Adam(cnn.parameters(), 0.01)

# %%
epoch_loss = []
for epoch in range(4):
    tot = 0.0
    for xb, yb in dl:
        loss = nn.functional.cross_entropy(cnn(xb), yb)
        opt.zero_grad(); loss.backward(); opt.step()
        tot += loss.item() * len(xb)
    epoch_loss.append(tot / len(train_ds))
print(epoch_loss)
