# group: torch
# seen: 2026-11-29
# fails: ValueError: Expected more than 1 value per channel when training, got input size torch.Size([1, 32])
# cause: 129 training rows in batches of 32 leave a last batch of one, which BatchNorm1d refuses in training mode;
#   the loader is made in cell 3.
# holds: len(log) -> 10
# holds: log[-1] < log[0] -> True
# holds: int(getattr(model[1], "num_batches_tracked", 1)) > 0 -> True

# %%
import torch
import torch.nn as nn
from sklearn.datasets import load_wine
from torch.utils.data import DataLoader, TensorDataset, random_split
torch.manual_seed(11)

# %%
X, y = load_wine(return_X_y=True)
X = torch.tensor((X - X.mean(0)) / X.std(0)).float()
y = torch.tensor(y)
ds = TensorDataset(X, y)

# %%
n_val = 49
train_set, val_set = random_split(ds, [len(ds) - n_val, n_val])
train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
val_loader = DataLoader(val_set, batch_size=49)

# %% [repaired]
n_val = 49
train_set, val_set = random_split(ds, [len(ds) - n_val, n_val])
train_loader = DataLoader(train_set, batch_size=32, shuffle=True, drop_last=True)
val_loader = DataLoader(val_set, batch_size=49)

# %%
model = nn.Sequential(
    nn.Linear(13, 32), nn.BatchNorm1d(32), nn.ReLU(),
    nn.Linear(32, 3),
)

# %%
def fit(model, loader, epochs, lr=1e-2):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    log = []
    for e in range(epochs):
        model.train()
        run = 0.
        for xb, yb in loader:
            loss = nn.functional.cross_entropy(model(xb), yb)
            opt.zero_grad(); loss.backward(); opt.step()
            run += loss.item() * len(xb)
        log.append(run / len(loader.dataset))
    return log

# %%
log = fit(model, train_loader, 10)

# %%
model.eval()
xb, yb = next(iter(val_loader))
print("val acc", (model(xb).argmax(1) == yb).float().mean().item())
