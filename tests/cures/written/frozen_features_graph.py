# group: torch
# seen: 2026-11-29c
# fails: RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.
# cause: the features are computed once with gradients on, so every step would go back through the same graph of the encoder; the
#   fixed encoder has to be run under torch.no_grad().
# holds: feats.requires_grad -> False
# holds: all(p.grad is None for p in encoder.parameters()) -> True
# holds: len(curve) -> 15

# %%
import torch
from torch import nn
import matplotlib.pyplot as plt

# %%
torch.manual_seed(6)
signals = torch.randn(64, 1, 50).cumsum(-1) / 5
up = (signals[:, 0, -1] > 0).float()
signals.shape

# %%
encoder = nn.Sequential(nn.Conv1d(1, 6, 7, stride=2), nn.ReLU(), nn.AdaptiveMaxPool1d(4), nn.Flatten())
# pretend it was pretrained, only the head gets trained below
head = nn.Linear(24, 1)

# %%
# features of all signals, only once since the encoder stays as it is
encoder.eval()
feats = encoder(signals)
print(feats.shape)

# %% [repaired]
# features of all signals, only once since the encoder stays as it is
encoder.eval()
with torch.no_grad():
    feats = encoder(signals)
print(feats.shape)

# %%
opt = torch.optim.SGD(head.parameters(), lr=0.1)
bce = nn.BCEWithLogitsLoss()
curve = []
for epoch in range(15):
    loss = bce(head(feats).squeeze(1), up)
    opt.zero_grad()
    loss.backward()
    opt.step()
    curve.append(loss.item())

# %%
plt.plot(curve); plt.ylabel("loss"); plt.show()
