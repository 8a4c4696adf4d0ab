# group: torch
# seen: 2026-11-29b
# fails: ValueError: Tried to step 25 times. The specified number of total steps is 24
# cause: steps per epoch are counted with // , but the loader also gives the last, smaller batch: 7 steps per epoch, not 6.
# holds: len(lrs) -> 28
# holds: bool(0.098 < max(lrs) <= 0.1) -> True
# holds: bool(lrs[-1] < 0.004) -> True

# %%
import torch
from torch import nn
from torch.utils.data import TensorDataset, DataLoader
import matplotlib.pyplot as plt

# %%
torch.manual_seed(0)
BS, EPOCHS = 16, 4
xs = torch.randn(100, 3)
ys = xs.sum(1, keepdim=True)
train_dl = DataLoader(TensorDataset(xs, ys), batch_size=BS, shuffle=True)

# %%
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
sched = torch.optim.lr_scheduler.OneCycleLR(
    opt, max_lr=0.1, epochs=EPOCHS, steps_per_epoch=len(xs) // BS)

# %% [repaired]
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
sched = torch.optim.lr_scheduler.OneCycleLR(
    opt, max_lr=0.1, epochs=EPOCHS, steps_per_epoch=len(train_dl))

# %%
lrs = []
for ep in range(EPOCHS):
    for xb, yb in train_dl:
        loss = nn.functional.mse_loss(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        lrs.append(opt.param_groups[0]["lr"])
    print(ep, round(loss.item(), 4))

# %%
plt.plot(lrs)
plt.ylabel("learning rate")
plt.show()
