# group: torch
# seen: 2026-11-29d
# fails: RuntimeError: Error(s) in loading state_dict for Regr:
# cause: load_model() gives the whole checkpoint (epoch, model, optim) to load_state_dict; the weights are under "model".
# holds: resumed is not None and ckpt_epoch == 4 -> True
# holds: all(torch.equal(a, b) for a, b in zip(net.state_dict().values(), resumed.state_dict().values())) -> True

# %%
import torch, tempfile, pathlib
from torch import nn

class Regr(nn.Module):
    def __init__(self, d_in=6, hidden=10):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d_in, hidden), nn.Tanh())
        self.head = nn.Linear(hidden, 1)
    def forward(self, x):
        return self.head(self.body(x))

# %%
CKPT = pathlib.Path(tempfile.mkdtemp()) / "last.pt"

def save(model, opt, epoch):
    torch.save({"epoch": epoch, "model": model.state_dict(), "optim": opt.state_dict()}, CKPT)

def load_model(model):
    state = torch.load(CKPT)
    model.load_state_dict(state)
    return model, state["epoch"]

# %% [repaired]
CKPT = pathlib.Path(tempfile.mkdtemp()) / "last.pt"

def save(model, opt, epoch):
    torch.save({"epoch": epoch, "model": model.state_dict(), "optim": opt.state_dict()}, CKPT)

def load_model(model):
    state = torch.load(CKPT)
    model.load_state_dict(state["model"])
    return model, state["epoch"]

# %%
torch.manual_seed(5)
net = Regr()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x, y = torch.randn(40, 6), torch.randn(40, 1)
for epoch in range(5):
    loss = ((net(x) - y) ** 2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    save(net, opt, epoch)
print("saved", CKPT.name)

# %%
resumed, ckpt_epoch = load_model(Regr())
print("goes on after epoch", ckpt_epoch)
