# library: torch
# needs: torch
# compare: lrs, ema_value, grads_clipped, final

# %%
import torch
import torch.nn as nn
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader, TensorDataset

cfg = {"epochs": 3, "batch_size": 16, "lr": 0.1, "clip": 0.5, "ema": 0.9}
torch.manual_seed(cfg.get("seed", 2023))

# %%
features = torch.randn(48, 6)
targets = (features @ torch.tensor([1., -1., .5, 0., 2., -.5])).unsqueeze(-1)
train_loader = DataLoader(TensorDataset(features, targets), batch_size=cfg["batch_size"], shuffle=False, drop_last=True)
len(train_loader)

# %%
class Residual(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.lin = nn.Linear(dim, dim)

    def forward(self, x):
        return x + torch.tanh(self.lin(self.norm(x)))

model = nn.Sequential(*[Residual(6) for _ in range(2)], nn.Linear(6, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=cfg["lr"])
scheduler = CosineAnnealingLR(optimizer, T_max=cfg["epochs"])

# %%
class AverageMeter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.sum, self.count = 0.0, 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n

    @property
    def avg(self):
        return self.sum / self.count

meter = AverageMeter()
lrs, ema_value, grads_clipped = [], None, 0
for epoch in range(cfg["epochs"]):
    meter.reset()
    for xb, yb in train_loader:
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=False):
            loss = nn.functional.l1_loss(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), cfg["clip"])
        grads_clipped += int(norm > cfg["clip"])
        optimizer.step()
        meter.update(loss.item(), xb.size(0))
    scheduler.step()
    lrs.append(round(optimizer.param_groups[0]["lr"], 4))
    ema_value = meter.avg if ema_value is None else cfg["ema"] * ema_value + (1 - cfg["ema"]) * meter.avg
    print(f"[{epoch + 1}/{cfg['epochs']}] loss {meter.avg:.4f}")

# %%
final = model(features[:3]).detach().squeeze()
final

