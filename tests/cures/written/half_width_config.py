# group: torch
# seen: 2026-11-29c
# fails: TypeError: empty(): argument 'size' (position 1) must be tuple of ints, but found element of type float at pos 0
# cause: the config computes the width of the bottleneck with /, which gives a float; layer sizes must be integers, so // is needed.
# holds: cfg["bottleneck"] -> 4
# holds: ae.enc[2].out_features -> 4
# holds: tuple(code.shape) -> (300, 4)

# %%
import torch
from torch import nn

# %%
cfg = dict(n_in=24, hidden=16, lr=3e-3, epochs=5)
cfg["bottleneck"] = cfg["hidden"] / 4
cfg

# %% [repaired]
cfg = dict(n_in=24, hidden=16, lr=3e-3, epochs=5)
cfg["bottleneck"] = cfg["hidden"] // 4
cfg

# %%
torch.manual_seed(1)
sensors = torch.randn(300, 3) @ torch.randn(3, cfg["n_in"])   # 24 sensors driven by 3 causes
sensors = (sensors - sensors.mean(0)) / sensors.std(0)
print(sensors.shape)

# %%
class AE(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(c["n_in"], c["hidden"]), nn.Tanh(), nn.Linear(c["hidden"], c["bottleneck"]))
        self.dec = nn.Sequential(nn.Linear(c["bottleneck"], c["hidden"]), nn.Tanh(), nn.Linear(c["hidden"], c["n_in"]))

    def forward(self, x):
        return self.dec(self.enc(x))

# %%
ae = AE(cfg)
opt = torch.optim.Adam(ae.parameters(), lr=cfg["lr"])

# %%
for ep in range(cfg["epochs"]):
    err = ((ae(sensors) - sensors) ** 2).mean()
    opt.zero_grad(); err.backward(); opt.step()
    print(f"epoch {ep}: {err.item():.4f}")

# %%
with torch.no_grad():
    code = ae.enc(sensors)
code[:3]
