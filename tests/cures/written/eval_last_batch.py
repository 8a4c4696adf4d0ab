# group: torch
# seen: 2026-11-29d
# fails: ValueError: setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. The detected shape was (4,) + inhomogeneous part.
# cause: predict() hands back one array per batch and the last batch is smaller, so the list is no rectangular array;
#   join the pieces with np.concatenate in predict().
# holds: y_hat.shape -> (110,)
# holds: y_hat.ndim, len(y_hat) == len(labels) -> (1, True)
# holds: cm.sum().item() -> 110

# %%
import numpy as np, torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.metrics import confusion_matrix

# %%
torch.manual_seed(42)
feats = torch.randn(110, 7)
labels = (feats[:, 0] + feats[:, 1] > 0).long()
val_dl = DataLoader(TensorDataset(feats, labels), batch_size=32)
net = nn.Linear(7, 2)

# %%
@torch.no_grad()
def predict(net, dl):
    net.eval()
    outs = []
    for xb, _ in dl:
        outs.append(net(xb).argmax(dim=1).numpy())
    return outs

# %% [repaired]
@torch.no_grad()
def predict(net, dl):
    net.eval()
    outs = []
    for xb, _ in dl:
        outs.append(net(xb).argmax(dim=1).numpy())
    return np.concatenate(outs)

# %%
opt = torch.optim.Adam(net.parameters(), lr=0.1)
for i in range(20):
    opt.zero_grad()
    nn.functional.cross_entropy(net(feats), labels).backward()
    opt.step()

# %%
preds = predict(net, val_dl)

# %%
y_hat = np.array(preds)
cm = confusion_matrix(labels.numpy(), y_hat)
cm
