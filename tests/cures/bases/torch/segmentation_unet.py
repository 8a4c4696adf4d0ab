# library: torch
# needs: numpy, torch
# compare: dice_scores, mask_sum, out_size

# %%
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

def make_sample(rng):
    img = rng.normal(0, 0.1, (32, 32)).astype("float32")
    mask = np.zeros((32, 32), dtype="int64")
    cy, cx, r = rng.integers(8, 24), rng.integers(8, 24), rng.integers(3, 7)
    yy, xx = np.ogrid[:32, :32]
    disk = (yy - cy) ** 2 + (xx - cx) ** 2 <= r ** 2
    img[disk] += 1.0
    mask[disk] = 1
    return img, mask

rng = np.random.default_rng(88)
pairs = [make_sample(rng) for _ in range(12)]
images = torch.stack([torch.from_numpy(i)[None] for i, _ in pairs])
masks = torch.stack([torch.from_numpy(m) for _, m in pairs])
images.shape, masks.shape, masks.dtype

# %%
def double_conv(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1), nn.ReLU(inplace=True),
        nn.Conv2d(cout, cout, 3, padding=1), nn.ReLU(inplace=True),
    )

class UNet(nn.Module):
    def __init__(self, n_class):
        super().__init__()
        self.down1 = double_conv(1, 8)
        self.down2 = double_conv(8, 16)
        self.bottom = double_conv(16, 16)
        self.up = nn.ConvTranspose2d(16, 16, kernel_size=2, stride=2)
        self.dec2 = double_conv(16 + 16, 8)
        self.dec1 = double_conv(8 + 8, 8)
        self.last = nn.Conv2d(8, n_class, 1)

    def forward(self, x):
        c1 = self.down1(x)
        c2 = self.down2(F.max_pool2d(c1, 2))
        x = self.bottom(F.max_pool2d(c2, 2))
        x = self.up(x)
        x = self.dec2(torch.cat([x, c2], dim=1))
        x = F.interpolate(x, scale_factor=2, mode="nearest")
        x = self.dec1(torch.cat([x, c1], dim=1))
        return self.last(x)

torch.manual_seed(4)
unet = UNet(n_class=2)
out = unet(images[:2])
out_size = list(out.size())
out_size

# %%
def dice(pred, target, eps=1e-6):
    inter = (pred * target).sum()
    return ((2 * inter + eps) / (pred.sum() + target.sum() + eps)).item()

criterion = nn.CrossEntropyLoss(weight=torch.tensor([0.3, 0.7]))
optimizer = torch.optim.Adam(unet.parameters(), lr=1e-2)
dice_scores = []
for epoch in range(4):
    for i in range(0, 12, 4):
        logits = unet(images[i:i + 4])
        loss = criterion(logits, masks[i:i + 4])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        pred = unet(images).argmax(dim=1)
    dice_scores.append(round(dice(pred, masks), 3))
print(dice_scores)

# %%
mask_sum = masks.sum(dim=(1, 2))
mask_sum.tolist()

