# group: torch
# seen: 2026-11-29e
# fails: TypeError: linear(): argument 'input' (position 1) must be Tensor, not tuple
# cause: nn.LSTM gives (output, (h, c)), in a Sequential the tuple goes into the Linear; the output has to be taken out.
# holds: tuple(y_hat.shape) -> (8, 30, 4)
# holds: sum(p.numel() for p in net.parameters()) -> 644

# %%
import torch
import torch.nn as nn

# %%
torch.manual_seed(1)
steps = torch.randn(8, 30, 3)      # accelerometer: 8 persons, 30 readings, xyz
steps.mean(dim=(0, 1))

# %%
net = nn.Sequential(
    nn.LSTM(3, 10, batch_first=True),
    nn.Linear(10, 4),
)
net

# %% [repaired]
class TakeOutput(nn.Module):
    def forward(self, out):
        return out[0]

net = nn.Sequential(
    nn.LSTM(3, 10, batch_first=True),
    TakeOutput(),
    nn.Linear(10, 4),
)
net

# %%
# activity for each reading
y_hat = net(steps)
print(y_hat.shape)

# %%
y_hat.argmax(-1)[0]
