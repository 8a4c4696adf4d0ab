# group: torch
# seen: 2026-11-29
# fails: RuntimeError: addmm: mat1 and mat2 shapes cannot be multiplied (64x64 and 784x10)
# cause: The Linear layer expects 16*7*7 features (a 28x28 tutorial), the digits are 8x8: two poolings leave 16*2*2.
# holds: cnn(xb[:4]).shape -> torch.Size([4, 10])
# holds: acc > 0.85 -> True
# holds: len(hist) -> 6

# %%
import torch
from torch import nn
from torch.utils.data import TensorDataset, DataLoader
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
torch.manual_seed(0); torch.set_num_threads(2)

# %%
d = load_digits()
imgs = torch.tensor(d.images / 16, dtype=torch.float32).unsqueeze(1)
lab = torch.tensor(d.target)
tr, te = train_test_split(range(len(lab)), test_size=.2, random_state=0, stratify=d.target)
train_dl = DataLoader(TensorDataset(imgs[tr], lab[tr]), 64, shuffle=True)
test_dl = DataLoader(TensorDataset(imgs[te], lab[te]), 256)

# %%
class CNN(nn.Module):
    """LeNet-ish, from the MNIST notebook"""
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.fc = nn.Linear(16 * 7 * 7, 10)

    def forward(self, x):
        x = self.pool(torch.relu(self.conv1(x)))
        x = self.pool(torch.relu(self.conv2(x)))
        return self.fc(x.flatten(1))

# %% [repaired]
class CNN(nn.Module):
    """LeNet-ish, from the MNIST notebook"""
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.fc = nn.Linear(16 * 2 * 2, 10)

    def forward(self, x):
        x = self.pool(torch.relu(self.conv1(x)))
        x = self.pool(torch.relu(self.conv2(x)))
        return self.fc(x.flatten(1))

# %%
cnn = CNN()
opt = torch.optim.Adam(cnn.parameters(), lr=3e-3)
ce = nn.CrossEntropyLoss()

# %%
hist = []
for ep in range(6):
    for xb, yb in train_dl:
        loss = ce(cnn(xb), yb)
        opt.zero_grad(); loss.backward(); opt.step()
    hist.append(loss.item())

# %%
with torch.no_grad():
    acc = sum((cnn(x).argmax(1) == y).sum().item() for x, y in test_dl) / len(te)
print(acc)
