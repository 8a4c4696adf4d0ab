# group: torch
# seen: 2026-11-30f
# fails: RuntimeError: Given groups=1, weight of size [6, 3, 3, 3], expected input[40, 24, 3, 24] to have 3 channels, but got 24 channels instead
# cause: the cell which permutes the tiles from channels-last to channels-first was run twice, so the channels are in a wrong place again.
# order: 1, 2, 3, 3, 4, 5
# again: 1, 2, 3, 4, 5, 6
# holds: tiles.shape -> torch.Size([40, 3, 24, 24])
# holds: feat.shape -> torch.Size([40, 432])
# holds: logits.shape -> torch.Size([40, 4])

# %%
import numpy as np
import torch
import torch.nn as nn

# %%
rng = np.random.default_rng(50)
arr = rng.random((40, 24, 24, 3), dtype=np.float32)     # satellite tiles, RGB last
tiles = torch.from_numpy(arr)
tiles.shape

# %%
tiles = tiles.permute(0, 3, 1, 2)
print("range", tiles.min().item(), tiles.max().item())

# %%
torch.manual_seed(0)
body = nn.Sequential(
    nn.Conv2d(3, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Conv2d(6, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
    nn.Flatten(),
)
head = nn.Linear(12 * 6 * 6, 4)

# %%
with torch.no_grad():
    feat = body(tiles)

# %%
logits = head(feat)
print(logits.shape)
logits.softmax(1)[:3]
