# group: torch
# seen: 2026-11-29c
# fails: AttributeError: 'tuple' object has no attribute 'size'
# cause: forward() gives back the pair (prediction, hidden state) where the training loop, like the rest, wants the prediction alone.
# holds: tuple(model(seqs[:3]).shape) -> (3, 1)
# holds: torch.is_tensor(pred) -> True
# holds: losses[-1] < losses[0] -> True

# %%
import torch
from torch import nn
import numpy as np

# %%
series = torch.tensor(np.sin(np.arange(150) / 6), dtype=torch.float32)
W = 12
seqs = torch.stack([series[i:i + W] for i in range(len(series) - W)]).unsqueeze(-1)
nxt = series[W:].unsqueeze(-1)
print(seqs.shape, nxt.shape)

# %%
class Forecaster(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, 1)

    def forward(self, x):
        out, state = self.lstm(x)
        return self.fc(out[:, -1]), state

# %% [repaired]
class Forecaster(nn.Module):
    def __init__(self, hidden=20):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, 1)

    def forward(self, x):
        out, state = self.lstm(x)
        return self.fc(out[:, -1])

# %%
torch.manual_seed(3)
model = Forecaster()
opt = torch.optim.Adam(model.parameters(), lr=0.01)
mse = nn.MSELoss()

# %%
losses = []
for ep in range(25):
    opt.zero_grad()
    loss = mse(model(seqs), nxt)
    loss.backward()
    opt.step()
    losses.append(loss.item())

# %%
model.eval()
with torch.no_grad():
    pred = model(seqs[-1:])
print("next value", pred)
