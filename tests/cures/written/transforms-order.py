# group: torch
# seen: 2026-11-30h
# fails: TypeError: img should be Tensor Image. Got <class 'PIL.Image.Image'>
# cause: Normalize works on tensors but comes before ToTensor in the Compose; ToTensor must come first.
# holds: [type(t).__name__ for t in tfm.transforms] -> ['Resize', 'ToTensor', 'Normalize']
# holds: tuple(batch.shape), str(batch.dtype) -> ((5, 3, 32, 32), 'torch.float32')
# holds: -1.0 <= float(batch.min()) and float(batch.max()) <= 1.0 -> True

# %%
import numpy as np
import torch
from PIL import Image
from torchvision import transforms
from torch.utils.data import Dataset, DataLoader

# %%
tfm = transforms.Compose([
    transforms.Resize((32, 32)),
    transforms.Normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5)),
    transforms.ToTensor(),
])

# %% [repaired]
tfm = transforms.Compose([
    transforms.Resize((32, 32)),
    transforms.ToTensor(),
    transforms.Normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5)),
])

# %%
class Flowers(Dataset):
    def __init__(self, n, transform=None):
        rng = np.random.default_rng(0)
        self.imgs = [Image.fromarray(rng.integers(0, 256, (48, 60, 3), dtype=np.uint8)) for _ in range(n)]
        self.y = rng.integers(0, 5, n).tolist()
        self.transform = transform
    def __len__(self):
        return len(self.imgs)
    def __getitem__(self, idx):
        im = self.imgs[idx]
        if self.transform:
            im = self.transform(im)
        return im, self.y[idx]

# %%
flowers = Flowers(10, tfm)
len(flowers)

# %%
batch, target = next(iter(DataLoader(flowers, batch_size=5)))
print(batch.shape, target)
