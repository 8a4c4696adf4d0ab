# group: torch
# seen: 2026-11-29e
# fails: TypeError: img should be Tensor Image. Got <class 'PIL.Image.Image'>
# cause: Normalize comes before ToTensor in the Compose, but it works on tensors only.
# holds: tuple(x.shape) -> (4, 3, 32, 32)
# holds: round(float(x.min()), 2) >= -1 and round(float(x.max()), 2) <= 1 -> True
# holds: [type(s).__name__ for s in prep.transforms] -> ['Resize', 'ToTensor', 'Normalize']

# %%
import numpy as np
from PIL import Image
import torch
from torchvision import transforms as T

# %%
rng = np.random.default_rng(0)
tiles = [Image.fromarray(rng.integers(0, 256, (40, 50, 3), dtype=np.uint8)) for _ in range(4)]
tiles[0].size

# %%
prep = T.Compose([
    T.Resize((32, 32)),
    T.Normalize([0.5] * 3, [0.5] * 3),
    T.ToTensor(),
])

# %% [repaired]
prep = T.Compose([
    T.Resize((32, 32)),
    T.ToTensor(),
    T.Normalize([0.5] * 3, [0.5] * 3),
])

# %%
x = torch.stack([prep(t) for t in tiles])
print(x.shape, x.mean())

# %%
conv = torch.nn.Conv2d(3, 6, 5, stride=2)
conv(x).shape
