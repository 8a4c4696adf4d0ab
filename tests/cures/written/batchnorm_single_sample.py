# group: torch
# seen: 2026-11-29e
# fails: ValueError: Expected more than 1 value per channel when training, got input size torch.Size([1, 16])
# cause: the model is still in training mode, BatchNorm can't work with a single sample; model.eval() before the prediction.
# holds: 1.5 < score.item() < 2.5 -> True
# holds: tuple(score.shape) -> (1, 1)

# %%
import torch
from torch import nn

# %%
torch.manual_seed(7)
X = torch.randn(80, 5)
t = X[:, :1] * 2 - X[:, 1:2]
model = nn.Sequential(nn.Linear(5, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 1))

# %%
opt = torch.optim.AdamW(model.parameters(), lr=0.02)
for ep in range(40):
    opt.zero_grad()
    loss = nn.functional.l1_loss(model(X), t)
    loss.backward()
    opt.step()
print("train loss", round(loss.item(), 3))

# %%
# one new patient
patient = torch.tensor([[0.3, -1.2, 0.0, 0.8, 0.1]])
with torch.no_grad():
    score = model(patient)
score

# %% [repaired]
# one new patient
patient = torch.tensor([[0.3, -1.2, 0.0, 0.8, 0.1]])
model.eval()
with torch.no_grad():
    score = model(patient)
score

# %%
print("high risk" if score.item() > 1 else "low risk")
