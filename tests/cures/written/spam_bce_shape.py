# group: torch
# seen: 2026-11-29e
# fails: ValueError: Target size (torch.Size([64])) must be the same as input size (torch.Size([64, 1]))
# cause: the model gives (64, 1), the labels have the shape (64,); one of both has to be unsqueezed/squeezed.
# holds: len(hist) -> 20
# holds: round(hist[-1], 2) -> 0.28
# holds: round(float(acc), 2) -> 0.97

# %%
import numpy as np
import torch
import torch.nn as nn

# %%
rng = np.random.default_rng(12)
feats = rng.normal(size=(64, 10)).astype("float32")
is_spam = (feats[:, 0] + feats[:, 3] > 0).astype("float32")
print(feats.shape, is_spam.mean())

# %%
X = torch.from_numpy(feats)
y = torch.from_numpy(is_spam)

# %% [repaired]
X = torch.from_numpy(feats)
y = torch.from_numpy(is_spam).unsqueeze(1)

# %%
torch.manual_seed(0)
clf = nn.Sequential(nn.Linear(10, 8), nn.ReLU(), nn.Linear(8, 1))
crit = nn.BCEWithLogitsLoss()
optim = torch.optim.SGD(clf.parameters(), lr=0.5)

# %%
hist = []
for epoch in range(20):
    optim.zero_grad()
    l = crit(clf(X), y)
    l.backward(); optim.step()
    hist.append(l.item())
hist[-1]

# %%
acc = ((clf(X) > 0).float() == y).float().mean()
print(f"accuracy {acc:.2f}")
