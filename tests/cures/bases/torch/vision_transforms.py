# library: torch
# needs: PIL, matplotlib, numpy, torch
# compare: classes, class_to_idx, per_class, mean_std, batch_dtype

# %%
import os
from collections import Counter
from PIL import Image
import numpy as np
import matplotlib.pyplot as plt
import torch
from torch.utils.data import Dataset, DataLoader, Subset, WeightedRandomSampler

root = "blobs"
rng = np.random.default_rng(0)
for folder, n, hue in [("train/blue", 9, 2), ("train/red", 5, 0), ("test/blue", 3, 2), ("test/red", 2, 0)]:
    os.makedirs(os.path.join(root, folder), exist_ok=True)
    for i in range(n):
        a = rng.integers(0, 80, (18, 18, 3))
        a[..., hue] += 150
        Image.fromarray(a.astype("uint8")).save(os.path.join(root, folder, f"{i:03}.png"))

# %%
class Compose:
    def __init__(self, transforms):
        self.transforms = transforms
    def __call__(self, img):
        for t in self.transforms:
            img = t(img)
        return img

class ToTensor:
    def __call__(self, pic):
        return torch.from_numpy(np.array(pic)).permute(2, 0, 1).float() / 255

class Normalize:
    def __init__(self, mean, std):
        self.mean = torch.tensor(mean).view(-1, 1, 1)
        self.std = torch.tensor(std).view(-1, 1, 1)
    def __call__(self, t):
        return (t - self.mean) / self.std

def center_crop(size):
    def crop(img):
        w, h = img.size
        left, top = (w - size) // 2, (h - size) // 2
        return img.crop((left, top, left + size, top + size))
    return crop

# %%
class FolderDataset(Dataset):
    def __init__(self, folder, transform=None):
        self.classes = sorted(os.listdir(folder))
        self.class_to_idx = {c: i for i, c in enumerate(self.classes)}
        self.samples = [(os.path.join(folder, c, f), self.class_to_idx[c])
                        for c in self.classes for f in sorted(os.listdir(os.path.join(folder, c)))]
        self.transform = transform

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, i):
        path, label = self.samples[i]
        img = Image.open(path).convert("RGB")
        return (self.transform(img) if self.transform else img), label

transform = Compose([center_crop(16), ToTensor(), Normalize([0.5, 0.5, 0.5], [0.25, 0.25, 0.25])])
train_ds = FolderDataset(f"{root}/train", transform)
test_ds = FolderDataset(f"{root}/test", transform=transform)
classes, class_to_idx = train_ds.classes, train_ds.class_to_idx
len(train_ds), len(test_ds), class_to_idx

# %%
per_class = dict(Counter(label for _, label in train_ds.samples))
weights = [1.0 / per_class[label] for _, label in train_ds.samples]
sampler = WeightedRandomSampler(weights, num_samples=len(weights), generator=torch.Generator().manual_seed(1))
train_loader = DataLoader(train_ds, batch_size=7, sampler=sampler)
images, labels = next(iter(train_loader))
print(images.shape, labels)

# %%
def imshow(tensor, title=None):
    arr = tensor.numpy().transpose((1, 2, 0)) * 0.25 + 0.5
    plt.imshow(np.clip(arr, 0, 1))
    if title is not None:
        plt.title(title)

imshow(images[0], classes[labels[0]])
plt.show()

# %%
loader = DataLoader(Subset(train_ds, range(10)), batch_size=5)
total = torch.zeros(3)
total_sq = torch.zeros(3)
for x, _ in loader:
    total += x.mean(dim=(2, 3)).sum(dim=0)
    total_sq += (x ** 2).mean(dim=(2, 3)).sum(dim=0)
mean = total / 10
mean_std = torch.stack([mean, (total_sq / 10 - mean ** 2).sqrt()])
batch_dtype = str(images.dtype)
mean_std
