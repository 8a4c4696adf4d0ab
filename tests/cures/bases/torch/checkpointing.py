# library: torch
# needs: torch
# compare: start_epoch, losses, restored

# %%
import os
import torch
import torch.nn as nn

CKPT_DIR = "checkpoints"
os.makedirs(CKPT_DIR, exist_ok=True)
torch.manual_seed(123)

# %%
class AutoEncoder(nn.Module):
    def __init__(self, n_in=20, n_code=4):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n_in, 12), nn.Tanh(), nn.Linear(12, n_code))
        self.decoder = nn.Sequential(nn.Linear(n_code, 12), nn.Tanh(), nn.Linear(12, n_in))

    def forward(self, x):
        return self.decoder(self.encoder(x))

# %%
data = torch.randn(64, 4) @ torch.randn(4, 20)
net = AutoEncoder()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
scheduler = torch.optim.lr_scheduler.StepLR(opt, step_size=5, gamma=0.5)

# %%
def train_epochs(net, opt, scheduler, start, stop):
    out = []
    for epoch in range(start, stop):
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(data), data)
        loss.backward()
        opt.step()
        scheduler.step()
        out.append(loss.item())
        if (epoch + 1) % 5 == 0:
            torch.save({
                "epoch": epoch + 1,
                "model_state": net.state_dict(),
                "optimizer_state": opt.state_dict(),
                "loss": loss.item(),
            }, os.path.join(CKPT_DIR, f"ae_{epoch + 1:03d}.pt"))
    return out

losses = train_epochs(net, opt, scheduler, 0, 10)
sorted(os.listdir(CKPT_DIR))

# %%
checkpoint = torch.load(os.path.join(CKPT_DIR, "ae_010.pt"))
print(checkpoint.keys())
resumed = AutoEncoder()
resumed.load_state_dict(checkpoint["model_state"])
opt2 = torch.optim.Adam(resumed.parameters(), lr=5e-3)
opt2.load_state_dict(checkpoint["optimizer_state"])
start_epoch = checkpoint["epoch"]

# %%
with torch.no_grad():
    codes = resumed.encoder(data[:2])
    restored = bool(torch.allclose(net(data), resumed(data)))
print(codes.shape, restored)
print(f"lr now {scheduler.get_last_lr()[0]}")
