# group: torch
# seen: 2026-11-30h
# fails: IndexError: Target 5 is out of bounds.
# cause: the stars go from 1 to 5, but the classes of CrossEntropyLoss with 5 outputs are 0 to 4; subtract one.
# holds: (int(labels.min()), int(labels.max())) -> (0, 4)
# holds: clf.out_features -> 5
# holds: bool(torch.isfinite(loss)) -> True
# holds: set(pred_stars.tolist()) <= {1, 2, 3, 4, 5} -> True

# %%
import torch
import pandas as pd

# %%
df = pd.DataFrame({"len": [12, 300, 45, 80, 5, 150, 33, 210], "excl": [3, 0, 1, 0, 5, 1, 0, 2], "stars": [5, 2, 4, 3, 1, 2, 4, 5]})
df["stars"].value_counts().sort_index()

# %%
feats = torch.tensor(df[["len", "excl"]].values).float()
feats = (feats - feats.mean(0)) / feats.std(0)
labels = torch.tensor(df["stars"].values)

# %% [repaired]
feats = torch.tensor(df[["len", "excl"]].values).float()
feats = (feats - feats.mean(0)) / feats.std(0)
labels = torch.tensor(df["stars"].values) - 1   # classes 0..4

# %%
torch.manual_seed(0)
clf = torch.nn.Linear(2, 5)
crit = torch.nn.CrossEntropyLoss()
optim = torch.optim.SGD(clf.parameters(), lr=0.5)

# %%
for step in range(100):
    loss = crit(clf(feats), labels)
    optim.zero_grad()
    loss.backward()
    optim.step()
loss

# %%
# class 0 is one star
pred_stars = clf(feats).argmax(1) + 1
print(pred_stars.tolist())
