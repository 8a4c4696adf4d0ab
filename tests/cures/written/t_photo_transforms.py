# group: torch
# seen: 2026-11-29b
# fails: TypeError: img should be Tensor Image. Got <class 'PIL.Image.Image'>
# cause: Normalize works on tensors and stands before ToTensor in the list.
# holds: tuple(batch.shape) -> (4, 3, 24, 24)
# holds: (round(float(batch[0].min()), 2), round(float(batch[0].max()), 2)) -> (-1.0, -1.0)
# holds: round(float(batch[3].max()), 2) -> 1.0

# %%
import numpy as np
import torch
from PIL import Image
from torchvision import transforms as T
import matplotlib.pyplot as plt

# %%
def photo(level):
    return Image.fromarray(np.full((40, 40, 3), level, dtype=np.uint8))

photos = [photo(v) for v in (0, 85, 170, 255)]
photos[1].size

# %%
tf = T.Compose([
    T.Resize(28),
    T.CenterCrop(24),
    T.Normalize(mean=[0.5] * 3, std=[0.5] * 3),
    T.ToTensor(),
])

# %% [repaired]
tf = T.Compose([
    T.Resize(28),
    T.CenterCrop(24),
    T.ToTensor(),
    T.Normalize(mean=[0.5] * 3, std=[0.5] * 3),
])

# %%
batch = torch.stack([tf(p) for p in photos])
print(batch.shape, batch.dtype)

# %%
plt.imshow(batch[2].permute(1, 2, 0) * 0.5 + 0.5)
plt.axis("off")
plt.show()
