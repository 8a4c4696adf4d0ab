# group: torch
# seen: 2026-11-30h
# fails: ValueError: Target size (torch.Size([200])) must be the same as input size (torch.Size([200, 1]))
# cause: the model gives (N, 1) and the target is (N,); the target needs a second dimension.
# holds: yt.numel() -> 200
# holds: str(yt.dtype) -> 'torch.float32'
# holds: acc > 0.8 -> True

# %%
import torch
from torch import nn
import pandas as pd
import numpy as np

# %%
rng = np.random.default_rng(14)
churn = pd.DataFrame(rng.normal(size=(200, 3)), columns=["tenure", "calls", "bill"])
churn["left"] = (churn["calls"] - churn["tenure"] > 0).astype(int)
churn.head()

# %%
Xt = torch.tensor(churn[["tenure", "calls", "bill"]].values, dtype=torch.float32)
yt = torch.tensor(churn["left"].values, dtype=torch.float32)
Xt.shape, yt.shape

# %% [repaired]
Xt = torch.tensor(churn[["tenure", "calls", "bill"]].values, dtype=torch.float32)
yt = torch.tensor(churn["left"].values, dtype=torch.float32).unsqueeze(1)
Xt.shape, yt.shape

# %%
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)

# %%
for epoch in range(60):
    optimizer.zero_grad()
    loss = criterion(model(Xt), yt)
    loss.backward()
    optimizer.step()
print("final loss", loss.item())

# %%
with torch.no_grad():
    prob = torch.sigmoid(model(Xt))
acc = ((prob > 0.5).float() == yt).float().mean().item()
print("train acc", acc)
