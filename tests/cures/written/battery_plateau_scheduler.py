# group: torch
# seen: 2026-11-30f
# fails: TypeError: ReduceLROnPlateau.step() missing 1 required positional argument: 'metrics'
# cause: ReduceLROnPlateau.step() needs the watched value (the validation loss) as its argument.
# holds: len(val_hist) -> 40
# holds: sched.last_epoch -> 40
# holds: bool(opt.param_groups[0]["lr"] <= 0.05) -> True

# %%
import torch
from torch import nn, optim

# %%
torch.manual_seed(22)
cycles = torch.rand(300, 1)
temp = torch.rand(300, 1)
cap = 1 - .4 * cycles ** 2 - .1 * temp * cycles + .01 * torch.randn(300, 1)
data = torch.hstack([cycles, temp])
tr, va = slice(0, 220), slice(220, 300)

# %%
model = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
mse = nn.MSELoss()
opt = optim.Adam(model.parameters(), lr=0.05)
sched = optim.lr_scheduler.ReduceLROnPlateau(opt, patience=3, factor=0.5)

# %%
val_hist = []
for epoch in range(40):
    model.train()
    opt.zero_grad()
    mse(model(data[tr]), cap[tr]).backward()
    opt.step()
    model.eval()
    with torch.no_grad():
        val_loss = mse(model(data[va]), cap[va]).item()
    val_hist.append(val_loss)
    sched.step()

# %% [repaired]
val_hist = []
for epoch in range(40):
    model.train()
    opt.zero_grad()
    mse(model(data[tr]), cap[tr]).backward()
    opt.step()
    model.eval()
    with torch.no_grad():
        val_loss = mse(model(data[va]), cap[va]).item()
    val_hist.append(val_loss)
    sched.step(val_loss)

# %%
print("lr now", opt.param_groups[0]["lr"])
print("best val", min(val_hist))
