# group: torch
# seen: 2026-11-29d
# fails: TypeError: History.on_epoch_end() missing 1 required positional argument: 'loss'
# cause: in the list of callbacks stands the class History, not an object of it, so on_epoch_end lacks its self; write
#   History().
# holds: len(trainer.callbacks[0].losses) -> 12
# holds: isinstance(trainer.callbacks[0], History) -> True
# holds: trainer.callbacks[1].wait < 3 -> True

# %%
import torch
from torch import nn
torch.manual_seed(33)

# %%
class History:
    losses = []
    def on_epoch_end(self, epoch, loss):
        self.losses.append(loss)

class Patience:
    def __init__(self, n=3):
        self.n, self.best, self.wait, self.stop = n, float("inf"), 0, False
    def on_epoch_end(self, epoch, loss):
        if loss < self.best - 1e-4:
            self.best, self.wait = loss, 0
        else:
            self.wait += 1
            self.stop = self.wait >= self.n

# %%
class Trainer:
    def __init__(self, model, callbacks=()):
        self.model = model
        self.callbacks = list(callbacks)
        self.opt = torch.optim.Adam(model.parameters(), lr=5e-3)

    def fit(self, X, Y, epochs=10):
        for ep in range(epochs):
            loss = nn.functional.mse_loss(self.model(X), Y)
            self.opt.zero_grad(); loss.backward(); self.opt.step()
            for cb in self.callbacks:
                cb.on_epoch_end(ep, loss.item())
            if any(getattr(cb, "stop", False) for cb in self.callbacks):
                break

# %%
net = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 2))
trainer = Trainer(net, callbacks=[History, Patience(3)])

# %% [repaired]
net = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 2))
trainer = Trainer(net, callbacks=[History(), Patience(3)])

# %%
X = torch.randn(80, 4)
Y = torch.stack([X[:, 0] + X[:, 1], X[:, 2] * 2], dim=1)
X.shape, Y.shape

# %%
trainer.fit(X, Y, epochs=12)
print("done")
