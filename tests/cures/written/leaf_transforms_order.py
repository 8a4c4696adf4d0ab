# group: torch
# seen: 2026-11-30f
# fails: TypeError: img should be Tensor Image. Got <class 'PIL.Image.Image'>
# cause: in the Compose, Normalize stands before ToTensor and gets a PIL image.
# holds: [type(t).__name__ for t in tfm.transforms] -> ['Resize', 'ToTensor', 'Normalize']
# holds: xb.shape -> torch.Size([6, 3, 32, 32])
# holds: str(xb.dtype) -> 'torch.float32'
# holds: bool(xb.min() < 0) -> True

# %%
import numpy as np
import torch
from PIL import Image
from torch.utils.data import Dataset, DataLoader
from torchvision import transforms

# %%
rng = np.random.default_rng(18)
pics = [Image.fromarray(rng.integers(0, 256, (40, 50, 3), dtype=np.uint8)) for _ in range(12)]
kinds = rng.integers(0, 2, 12)
pics[0].size

# %%
tfm = transforms.Compose([
    transforms.Resize((32, 32)),
    transforms.Normalize(mean=[0.5, 0.5, 0.5], std=[0.25, 0.25, 0.25]),
    transforms.ToTensor(),
])

# %% [repaired]
tfm = transforms.Compose([
    transforms.Resize((32, 32)),
    transforms.ToTensor(),
    transforms.Normalize(mean=[0.5, 0.5, 0.5], std=[0.25, 0.25, 0.25]),
])

# %%
class Leaves(Dataset):
    def __init__(self, images, labels, transform=None):
        self.images, self.labels, self.transform = images, labels, transform
    def __len__(self):
        return len(self.images)
    def __getitem__(self, i):
        im = self.images[i]
        if self.transform:
            im = self.transform(im)
        return im, int(self.labels[i])

leaves = Leaves(pics, kinds, tfm)
len(leaves)

# %%
dl = DataLoader(leaves, batch_size=6)
xb, yb = next(iter(dl))
print(xb.shape, yb)

# %%
xb.mean(dim=(0, 2, 3))
