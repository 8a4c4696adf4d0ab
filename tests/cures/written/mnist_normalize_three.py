# group: torch
# seen: 2026-11-30g
# fails: RuntimeError: output with shape [1, 8, 8] doesn't match the broadcast shape [3, 8, 8]
# cause: the digits have one channel, and Normalize is given mean and std for three; one value each.
# holds: batch.shape -> torch.Size([12, 1, 8, 8])
# holds: [round(float(v), 3) for v in (batch.min(), batch.max())] -> [-1.0, 1.0]

# %%
import numpy as np
import torch
import torchvision.transforms as T
from sklearn.datasets import load_digits
import matplotlib.pyplot as plt

# %%
# MNIST mirror is down so I take the small digits from sklearn
digits = load_digits()
imgs = (digits.images / 16 * 255).astype(np.uint8)
print(imgs.shape)

# %%
transform = T.Compose([
    T.ToTensor(),
    T.Normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5)),
])

# %% [repaired]
transform = T.Compose([
    T.ToTensor(),
    T.Normalize((0.5,), (0.5,)),
])

# %%
batch = torch.stack([transform(im) for im in imgs[:12]])

# %%
fig, axs = plt.subplots(1, 4)
for a, im in zip(axs, batch):
    a.imshow(im[0], cmap="gray"); a.axis("off")
plt.show()
