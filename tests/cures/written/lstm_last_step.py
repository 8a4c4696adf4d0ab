# group: torch
# seen: 2026-11-30g
# fails: TypeError: linear(): argument 'input' (position 1) must be Tensor, not tuple
# cause: nn.LSTM returns (output, (h, c)), and nn.Sequential hands that tuple to the Linear; a small module has to take the output out.
# holds: pred.shape -> torch.Size([200, 1])
# holds: sum(p.numel() for p in model.parameters()) -> 2617
# holds: loss.item() < 0.4 -> True

# %%
import numpy as np
import torch
import torch.nn as nn

# %%
# like keras: 10 days in, next day out
series = np.sin(np.arange(210) / 8).astype("float32")
xs = np.stack([series[i:i + 10] for i in range(200)])[..., None]
ys = series[10:210]
X, Y = torch.from_numpy(xs), torch.from_numpy(ys)
print(X.shape, Y.shape)

# %%
torch.manual_seed(6)
model = nn.Sequential(
    nn.LSTM(1, 24, batch_first=True),
    nn.Linear(24, 1),
)

# %% [repaired]
torch.manual_seed(6)

class LastStep(nn.Module):
    def forward(self, out):
        seq, _ = out
        return seq[:, -1]

model = nn.Sequential(
    nn.LSTM(1, 24, batch_first=True),
    LastStep(),
    nn.Linear(24, 1),
)

# %%
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for ep in range(15):
    opt.zero_grad()
    pred = model(X)
    loss = nn.functional.mse_loss(pred, Y[:, None])
    loss.backward()
    opt.step()

# %%
print("mse", loss.item())
