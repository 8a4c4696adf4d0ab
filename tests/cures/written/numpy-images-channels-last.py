# group: torch
# seen: 2026-11-30h
# fails: RuntimeError: Given groups=1, weight of size [16, 3, 3, 3], expected input[8, 64, 48, 3] to have 3 channels, but got 64 channels instead
# cause: the pictures are (N, H, W, C) as NumPy has them, Conv2d wants (N, C, H, W); permute the axes.
# holds: bool(torch.allclose(fm, conv(torch.from_numpy(photos).float().permute(0, 3, 1, 2) / 255), atol=1e-5)) -> True
# holds: tuple(fm.shape) -> (8, 16, 32, 24)

# %%
import numpy as np
import torch
import torch.nn as nn
import matplotlib.pyplot as plt

# %%
rs = np.random.RandomState(9)
photos = rs.randint(0, 256, size=(8, 64, 48, 3)).astype("uint8")
plt.imshow(photos[0]); plt.show()

# %%
t = torch.from_numpy(photos).float() / 255
print(t.shape, t.min(), t.max())

# %% [repaired]
t = torch.from_numpy(photos).permute(0, 3, 1, 2).float() / 255
print(t.shape, t.min(), t.max())

# %%
conv = nn.Sequential(nn.Conv2d(3, 16, kernel_size=3, padding=1), nn.ReLU(), nn.MaxPool2d(2))

# %%
fm = conv(t)
fm.shape

# %%
plt.imshow(fm[0, 0].detach().numpy(), cmap="gray")
plt.show()
