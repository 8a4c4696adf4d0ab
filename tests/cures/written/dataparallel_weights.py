# group: torch
# seen: 2026-11-30g
# fails: RuntimeError: Error(s) in loading state_dict for Net:
# cause: the checkpoint was saved from a DataParallel wrapper, so each key has the prefix "module."; strip it before loading.
# holds: "fc.weight" in net.state_dict() -> True
# holds: all(torch.equal(a, b) for a, b in zip(net.parameters(), wrapped.parameters())) -> True
# holds: net(torch.ones(2, 1, 8, 8)).shape -> torch.Size([2, 10])

# %%
import torch
import torch.nn as nn

# %%
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU())
        self.fc = nn.Linear(4 * 6 * 6, 10)
    def forward(self, x):
        return self.fc(self.features(x).flatten(1))

# %%
# --- on the server (2 GPUs) ---
torch.manual_seed(42)
wrapped = nn.DataParallel(Net())
torch.save({"epoch": 12, "state_dict": wrapped.state_dict()}, "ckpt.pth")

# %%
# --- on my laptop ---
ckpt = torch.load("ckpt.pth", map_location="cpu")
state = ckpt["state_dict"]
print(ckpt["epoch"], len(state))

# %% [repaired]
# --- on my laptop ---
ckpt = torch.load("ckpt.pth", map_location="cpu")
state = {k.removeprefix("module."): v for k, v in ckpt["state_dict"].items()}
print(ckpt["epoch"], len(state))

# %%
net = Net()
net.load_state_dict(state)
net.eval()

# %%
with torch.no_grad():
    print(net(torch.zeros(1, 1, 8, 8)).argmax(1))
