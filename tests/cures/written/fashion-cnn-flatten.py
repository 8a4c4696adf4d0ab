# group: torch
# seen: 2026-11-30h
# fails: RuntimeError: addmm: mat1 and mat2 shapes cannot be multiplied (16x1568 and 6272x64)
# cause: after two poolings a 28x28 picture is 7x7, so the first Linear gets 32*7*7 inputs and not 32*14*14.
# holds: tuple(out.shape) -> (16, 10)
# holds: net.fc1.in_features -> 1568
# holds: len(losses) -> 4

# %%
import torch
import torch.nn as nn
import torch.nn.functional as F

# %%
torch.manual_seed(1)
imgs = torch.rand(64, 1, 28, 28)
lbls = torch.randint(0, 10, (64,))

# %%
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.pool = nn.MaxPool2d(2, 2)
        self.fc1 = nn.Linear(32 * 14 * 14, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = self.pool(F.relu(self.conv2(x)))
        x = torch.flatten(x, 1)
        return self.fc2(F.relu(self.fc1(x)))

# %% [repaired]
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.pool = nn.MaxPool2d(2, 2)
        self.fc1 = nn.Linear(32 * 7 * 7, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = self.pool(F.relu(self.conv2(x)))
        x = torch.flatten(x, 1)
        return self.fc2(F.relu(self.fc1(x)))

# %%
net = Net()
print(net)

# %%
opt = torch.optim.SGD(net.parameters(), lr=0.1)
losses = []
for i in range(0, 64, 16):
    out = net(imgs[i:i + 16])
    loss = F.cross_entropy(out, lbls[i:i + 16])
    opt.zero_grad(); loss.backward(); opt.step()
    losses.append(loss.item())

# %%
print(["%.3f" % l for l in losses])
