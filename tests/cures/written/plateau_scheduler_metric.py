# group: torch
# seen: 2026-11-29e
# fails: TypeError: ReduceLROnPlateau.step() missing 1 required positional argument: 'metrics'
# cause: ReduceLROnPlateau.step needs the value that it watches (the validation loss).
# holds: len(log) -> 60
# holds: sched.last_epoch -> 60
# holds: sched.mode -> 'min'

# %%
import torch
import torch.nn as nn
import matplotlib.pyplot as plt

# %%
torch.manual_seed(11)
x = torch.rand(120, 2)
y = (x.prod(dim=1, keepdim=True)) * 3
x_tr, x_va, y_tr, y_va = x[:100], x[100:], y[:100], y[100:]

# %%
f = nn.Sequential(nn.Linear(2, 10), nn.Tanh(), nn.Linear(10, 1))
opt = torch.optim.SGD(f.parameters(), lr=0.3)
sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, patience=3, factor=0.5)

# %%
log = []
for epoch in range(60):
    opt.zero_grad()
    loss = ((f(x_tr) - y_tr) ** 2).mean()
    loss.backward()
    opt.step()
    with torch.no_grad():
        val = ((f(x_va) - y_va) ** 2).mean().item()
    sched.step()
    log.append((loss.item(), val))

# %% [repaired]
log = []
for epoch in range(60):
    opt.zero_grad()
    loss = ((f(x_tr) - y_tr) ** 2).mean()
    loss.backward()
    opt.step()
    with torch.no_grad():
        val = ((f(x_va) - y_va) ** 2).mean().item()
    sched.step(val)
    log.append((loss.item(), val))

# %%
plt.plot(log); plt.legend(["train", "val"]); plt.show()
