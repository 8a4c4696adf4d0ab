# group: torch
# seen: 2026-11-29d
# fails: ValueError: Tried to step 7 times. The specified number of total steps is 6
# cause: total_steps counts one step per epoch, but the loop steps the scheduler after every batch; total_steps must be
#   EPOCHS * len(loader).
# holds: sched.total_steps -> 30
# holds: len(lrs) -> 30
# holds: round(max(lrs), 3) -> 0.2

# %%
import torch
from torch import nn
from torch.utils.data import TensorDataset, DataLoader
import matplotlib.pyplot as plt

# %%
torch.manual_seed(1)
EPOCHS = 6
X = torch.randn(160, 5); Y = (X.sum(1, keepdim=True) > 0).float()
loader = DataLoader(TensorDataset(X, Y), batch_size=32, shuffle=True)
len(loader)

# %%
clf = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(clf.parameters(), lr=0.01, momentum=.9)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.2, total_steps=EPOCHS)

# %% [repaired]
clf = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(clf.parameters(), lr=0.01, momentum=.9)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.2, total_steps=EPOCHS * len(loader))

# %%
lossf = nn.BCEWithLogitsLoss()
lrs = []
for ep in range(EPOCHS):
    for xb, yb in loader:
        opt.zero_grad()
        loss = lossf(clf(xb), yb)
        loss.backward()
        opt.step()
        sched.step()
        lrs.append(sched.get_last_lr()[0])

# %%
plt.plot(lrs)
plt.xlabel("step")
plt.show()
