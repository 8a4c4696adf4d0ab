# group: torch
# seen: 2026-11-30g
# fails: TypeError: default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class 'PIL.Image.Image'>
# cause: the transform has no ToTensor, so the dataset returns PIL images, which the default collate cannot stack.
# holds: xb.shape -> torch.Size([4, 3, 32, 32])
# holds: xb.dtype == torch.float32 and float(xb.max()) <= 1.0 -> True
# holds: yb.tolist() -> [0, 1, 0, 1]

# %%
import numpy as np
from PIL import Image
import torch
from torch.utils.data import Dataset, DataLoader
from torchvision import transforms

# %%
rng = np.random.RandomState(0)
raw_imgs = [rng.randint(0, 256, (40 + 3 * k, 50, 3), dtype=np.uint8) for k in range(8)]
targets = [k % 2 for k in range(8)]

# %%
class CatDog(Dataset):
    def __init__(self, imgs, targets, transform=None):
        self.imgs, self.targets, self.transform = imgs, targets, transform
    def __len__(self):
        return len(self.imgs)
    def __getitem__(self, idx):
        img = Image.fromarray(self.imgs[idx])
        if self.transform:
            img = self.transform(img)
        return img, self.targets[idx]

# %%
tf = transforms.Compose([
    transforms.Resize((32, 32)),
    transforms.RandomHorizontalFlip(),
])

# %% [repaired]
tf = transforms.Compose([
    transforms.Resize((32, 32)),
    transforms.RandomHorizontalFlip(),
    transforms.ToTensor(),
])

# %%
ds = CatDog(raw_imgs, targets, tf)
img, t = ds[0]
print(len(ds), img, t)

# %%
loader = DataLoader(ds, batch_size=4)
xb, yb = next(iter(loader))

# %%
print(xb.shape, yb)
