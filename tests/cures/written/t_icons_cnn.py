# group: torch
# seen: 2026-11-29b
# fails: RuntimeError: addmm: mat1 and mat2 shapes cannot be multiplied (10x1024 and 784x5)
# cause: the linear layer is still sized for 28x28 images (16*7*7); the icons are 32x32, which leaves 16*8*8 after two poolings.
# holds: out.shape == torch.Size([10, 5]) -> True
# holds: net.fc.in_features -> 1024

# %%
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(0)

# %%
class IconNet(nn.Module):
    def __init__(self, n_classes=5):
        super().__init__()
        self.c1 = nn.Conv2d(3, 8, 3, padding=1)
        self.c2 = nn.Conv2d(8, 16, 3, padding=1)
        self.fc = nn.Linear(16 * 7 * 7, n_classes)   # taken from my MNIST notebook

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.c1(x)), 2)
        x = F.max_pool2d(F.relu(self.c2(x)), 2)
        return self.fc(x.flatten(1))

# %% [repaired]
class IconNet(nn.Module):
    def __init__(self, n_classes=5):
        super().__init__()
        self.c1 = nn.Conv2d(3, 8, 3, padding=1)
        self.c2 = nn.Conv2d(8, 16, 3, padding=1)
        self.fc = nn.Linear(16 * 8 * 8, n_classes)   # 32x32 -> 8x8 after two poolings

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.c1(x)), 2)
        x = F.max_pool2d(F.relu(self.c2(x)), 2)
        return self.fc(x.flatten(1))

# %%
icons = torch.rand(10, 3, 32, 32)
icons.shape

# %%
net = IconNet()
print(sum(p.numel() for p in net.parameters()), "parameters")

# %%
out = net(icons)
print(out.shape)

# %%
out.argmax(1)
