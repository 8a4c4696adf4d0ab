# group: torch
# seen: 2026-11-30g
# fails: ValueError: Expected more than 1 value per channel when training, got input size torch.Size([1, 16])
# cause: the model is still in training mode when one sample is predicted, and BatchNorm1d cannot take statistics over one row; model.eval() is missing.
# holds: model.training -> False
# holds: probs.shape -> torch.Size([1, 2])
# holds: round(float(probs.sum()), 4) -> 1.0

# %%
import torch
import torch.nn as nn
import torch.nn.functional as F

# %%
torch.manual_seed(0)
X = torch.randn(64, 8)
y = (X[:, 0] + X[:, 1] > 0).long()

# %%
model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(20):
    for xb, yb in zip(X.split(16), y.split(16)):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(xb), yb)
        loss.backward()
        optimizer.step()
print("loss", loss.item())

# %%
# training went ok. now one new customer
customer = torch.tensor([[0.5, 1.2, -0.3, 0.0, 0.1, 0.7, -1.0, 0.2]])
with torch.no_grad():
    out = model(customer)

# %% [repaired]
# training went ok. now one new customer
customer = torch.tensor([[0.5, 1.2, -0.3, 0.0, 0.1, 0.7, -1.0, 0.2]])
model.eval()
with torch.no_grad():
    out = model(customer)

# %%
probs = F.softmax(out, dim=1)
print(probs, "class", probs.argmax().item())
