# group: torch
# seen: 2026-11-30f
# fails: RuntimeError: Error(s) in loading state_dict for Scorer:
# cause: the checkpoint is saved from the DataParallel wrapper, so all its keys begin with "module."; save model.module.state_dict().
# holds: sorted(local.state_dict()) -> ['fc1.bias', 'fc1.weight', 'fc2.bias', 'fc2.weight']
# holds: bool(torch.equal(local.fc1.weight, net.fc1.weight)) -> True
# holds: out.shape -> torch.Size([5, 1])

# %%
import io
import torch
import torch.nn as nn

# %%
class Scorer(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.fc1 = nn.Linear(6, hidden)
        self.fc2 = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))

# %%
torch.manual_seed(4)
net = Scorer()
model = nn.DataParallel(net)      # the cluster has 4 gpus
x = torch.randn(64, 6); y = x[:, :1] - x[:, 2:3]
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for i in range(50):
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward()
    opt.step()
loss.item()

# %%
ckpt = io.BytesIO()
torch.save({"model": model.state_dict(), "step": i}, ckpt)
print(ckpt.tell(), "bytes")

# %% [repaired]
ckpt = io.BytesIO()
torch.save({"model": model.module.state_dict(), "step": i}, ckpt)
print(ckpt.tell(), "bytes")

# %%
# --- on my laptop ---
ckpt.seek(0)
saved = torch.load(ckpt, map_location="cpu")
local = Scorer()
local.load_state_dict(saved["model"])

# %%
local.eval()
with torch.no_grad():
    out = local(x[:5])
out
