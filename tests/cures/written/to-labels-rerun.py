# group: torch
# seen: 2026-11-28
# fails: IndexError: Target -1 is out of bounds.
# order: 1, 2, 3, 4, 5, 6, 3, 6
# again: 1, 2, 3, 4, 5, 6, 3, 6, 7
# cause: Cell 3 (stars -= 1, in place) was run twice: the ratings 1..5 became -1..3, and CrossEntropyLoss is given
#   target -1.
# holds: int(train_y.min()) -> 0
# holds: int(train_y.max()) -> 4
# holds: losses[-1] < losses[0] -> True
# holds: out.shape[1] -> 5

# %%
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(3)

# %%
N = 500
feats = torch.randn(N, 12)
score = feats @ torch.randn(12)
stars = torch.bucketize(score, torch.quantile(score, torch.tensor([.1, .3, .6, .85]))) + 1
print(stars[:10], stars.unique())

# %%
# classes must start at 0
stars -= 1
train_y = stars
torch.bincount(train_y.clamp(min=0))

# %% [repaired]
# classes must start at 0
train_y = stars - 1
torch.bincount(train_y.clamp(min=0))

# %%
clf = nn.Sequential(nn.Linear(12, 24), nn.Tanh(), nn.Linear(24, 5))
opt = torch.optim.SGD(clf.parameters(), lr=.3, momentum=.9)

# %%
losses = []
def train_epochs(n):
    for _ in range(n):
        out = clf(feats)
        loss = F.cross_entropy(out, train_y)
        opt.zero_grad(); loss.backward(); opt.step()
        losses.append(loss.item())
    return out

# %%
out = train_epochs(30)
print(f"{losses[0]:.3f} -> {losses[-1]:.3f}")

# %%
print("train acc", (out.argmax(1) == train_y).float().mean().item())
