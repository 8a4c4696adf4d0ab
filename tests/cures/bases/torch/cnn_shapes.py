# library: torch
# needs: numpy, torch
# compare: epoch_losses, preds, n_params

# %%
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import Dataset, DataLoader
import numpy as np

# %%
rng = np.random.default_rng(5)

def draw(kind):
    img = np.zeros((16, 16), dtype=np.float32)
    r, c = rng.integers(2, 8, 2)
    if kind == 0:
        img[r:r + 6, c:c + 6] = 1.0
    else:
        img[r + 2, c:c + 6] = 1.0
        img[r:r + 6, c + 2] = 1.0
    return img + rng.normal(0, 0.05, img.shape).astype(np.float32)

kinds = rng.integers(0, 2, 48)
images = np.stack([draw(k) for k in kinds])
images.shape

# %%
class ShapesDataset(Dataset):
    def __init__(self, images, labels):
        self.images = torch.from_numpy(images).unsqueeze(1)
        self.labels = torch.as_tensor(labels, dtype=torch.long)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, idx):
        return self.images[idx], self.labels[idx]

ds = ShapesDataset(images, kinds)
loader = DataLoader(ds, batch_size=8, shuffle=False)
xb, yb = next(iter(loader))
xb.shape, yb.shape

# %%
class SmallCNN(nn.Module):
    def __init__(self, num_classes=2):
        super(SmallCNN, self).__init__()
        self.conv1 = nn.Conv2d(1, 8, kernel_size=3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, kernel_size=3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.fc = nn.Linear(16 * 4 * 4, num_classes)

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = self.pool(F.relu(self.conv2(x)))
        x = torch.flatten(x, 1)
        return self.fc(x)

torch.manual_seed(1)
net = SmallCNN()
n_params = sum(p.numel() for p in net.parameters())
n_params

# %%
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
loss_fn = nn.CrossEntropyLoss()

epoch_losses = []
for epoch in range(3):
    running = 0.0
    for xb, yb in loader:
        opt.zero_grad()
        loss = loss_fn(net(xb), yb)
        loss.backward()
        opt.step()
        running += loss.item() * len(xb)
    epoch_losses.append(running / len(ds))
    print(f"epoch {epoch + 1}: {epoch_losses[-1]:.4f}")

# %%
net.eval()
with torch.no_grad():
    preds = net(ds.images[:10]).argmax(dim=1)
print(preds.tolist())
print(kinds[:10].tolist())

