# group: torch
# seen: 2026-11-30h
# fails: RuntimeError: Error(s) in loading state_dict for Net:
# cause: the checkpoint was saved from a DataParallel model, so every key starts with "module."; the prefix must be removed
#   before loading.
# holds: bool(torch.equal(net.body[0].weight, par.module.body[0].weight)) -> True
# holds: net.training -> False
# holds: tuple(pred.shape) -> (5, 3)

# %%
import os, tempfile
import torch
from torch import nn

# %%
class Net(nn.Module):
    def __init__(self, hidden=12):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, hidden), nn.Tanh(), nn.Linear(hidden, 3))

    def forward(self, x):
        return self.body(x)

# %%
# --- this part ran on the lab machine with 2 gpus ---
torch.manual_seed(42)
ckpt = os.path.join(tempfile.mkdtemp(), "best.pt")
par = nn.DataParallel(Net())
torch.save({"epoch": 17, "state_dict": par.state_dict()}, ckpt)

# %%
# --- my laptop ---
checkpoint = torch.load(ckpt, map_location="cpu")
print(checkpoint["epoch"], list(checkpoint["state_dict"])[:2])

# %%
net = Net()
net.load_state_dict(checkpoint["state_dict"])
net.eval()

# %% [repaired]
net = Net()
net.load_state_dict({k.removeprefix("module."): v for k, v in checkpoint["state_dict"].items()})
net.eval()

# %%
with torch.no_grad():
    pred = net(torch.zeros(5, 6)).softmax(1)
print(pred)
