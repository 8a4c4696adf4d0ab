# group: torch
# seen: 2026-11-29d
# fails: TypeError: cross_entropy_loss(): argument 'target' (position 2) must be Tensor, not tuple
# cause: the Dataset gives the species name instead of its number, so the loader collates the targets to a tuple/list of
#   strings; use the mapping in __getitem__.
# holds: type(yb).__name__, yb.dtype -> ('Tensor', torch.int64)
# holds: len(ds.cls2id) -> 3
# holds: ds[0][1] in (0, 1, 2) -> True

# %%
import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader
import pandas as pd
import numpy as np

# %%
np.random.seed(3)
iris = pd.DataFrame(np.random.rand(90, 4).astype("float32"), columns=["sl", "sw", "pl", "pw"])
iris["species"] = np.random.choice(["setosa", "versicolor", "virginica"], 90)
iris.head(2)

# %%
class FlowerData(Dataset):
    def __init__(self, df):
        self.x = df.drop(columns="species").to_numpy()
        self.names = df["species"].tolist()
        self.cls2id = {c: i for i, c in enumerate(sorted(set(self.names)))}
    def __len__(self):
        return len(self.x)
    def __getitem__(self, i):
        return torch.tensor(self.x[i]), self.names[i]

# %% [repaired]
class FlowerData(Dataset):
    def __init__(self, df):
        self.x = df.drop(columns="species").to_numpy()
        self.names = df["species"].tolist()
        self.cls2id = {c: i for i, c in enumerate(sorted(set(self.names)))}
    def __len__(self):
        return len(self.x)
    def __getitem__(self, i):
        return torch.tensor(self.x[i]), self.cls2id[self.names[i]]

# %%
ds = FlowerData(iris)
dl = DataLoader(ds, batch_size=30, shuffle=True)
len(ds), len(dl)

# %%
net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.Adam(net.parameters(), 1e-2)
crit = nn.CrossEntropyLoss()
for ep in range(3):
    for xb, yb in dl:
        loss = crit(net(xb), yb)
        opt.zero_grad(); loss.backward(); opt.step()
    print(ep, loss.item())
