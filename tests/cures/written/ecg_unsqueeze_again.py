# group: torch
# seen: 2026-11-29d
# fails: RuntimeError: Expected 2D (unbatched) or 3D (batched) input to conv1d, but got input of size: [60, 1, 1, 128]
# cause: the cell that adds the channel dimension with unsqueeze(1) was run twice, so ecg has four dimensions; add it only
#   when the signals are still two-dimensional.
# holds: tuple(ecg.shape) -> (60, 1, 128)
# holds: tuple(model(ecg).shape) -> (60, 3)
# order: 1, 2, 3, 4, 3, 5
# again: 1, 2, 3, 4, 5

# %%
import torch
import torch.nn as nn
import math

# %%
torch.manual_seed(4)
t = torch.linspace(0, 4 * math.pi, 128)
rate = torch.randint(1, 4, (60, 1))
ecg = torch.sin(t * rate) + 0.1 * torch.randn(60, 128)
beat = (rate.squeeze(1) - 1).long()
ecg.shape

# %%
ecg = ecg.unsqueeze(1)
ecg = (ecg - ecg.mean()) / ecg.std()

# %% [repaired]
if ecg.dim() == 2:
    ecg = ecg.unsqueeze(1)
ecg = (ecg - ecg.mean()) / ecg.std()

# %%
model = nn.Sequential(
    nn.Conv1d(1, 6, 7, stride=2), nn.ReLU(), nn.Conv1d(6, 12, 5, stride=2), nn.ReLU(),
    nn.AdaptiveMaxPool1d(1), nn.Flatten(), nn.Linear(12, 3))
adam = torch.optim.Adam(model.parameters(), lr=0.01)

# %%
for ep in range(8):
    loss = nn.functional.cross_entropy(model(ecg), beat)
    adam.zero_grad()
    loss.backward()
    adam.step()
print("loss", round(loss.item(), 3))
