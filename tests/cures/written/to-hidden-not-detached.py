# group: torch
# seen: 2026-11-28
# fails: RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.
# cause: train_epoch keeps the GRU's hidden state from batch to batch without detach, so the second backward goes
#   through the first batch's freed graph.
# holds: len(curve) -> 8
# holds: curve[-1] < curve[0] -> True
# holds: len(batches) -> 20

# %% [markdown]
# Next-step forecast with stateful GRU

# %%
import numpy as np
import torch
from torch import nn
torch.manual_seed(0)

# %%
t = np.arange(1200)
wave = np.sin(t / 9) * np.cos(t / 31)
seq = torch.tensor(wave, dtype=torch.float32)
BPTT = 50
batches = [(seq[i:i + BPTT].view(1, -1, 1), seq[i + 1:i + BPTT + 1].view(1, -1, 1)) for i in range(0, 1000, BPTT)]
len(batches)

# %%
class Forecaster(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, 1)
    def forward(self, x, h=None):
        o, h = self.rnn(x, h)
        return self.fc(o), h

def train_epoch(model, batches, opt):
    h, total = None, 0.0
    for xb, yb in batches:
        out, h = model(xb, h)
        loss = nn.functional.mse_loss(out, yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    return total / len(batches), h

# %% [repaired]
class Forecaster(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, 1)
    def forward(self, x, h=None):
        o, h = self.rnn(x, h)
        return self.fc(o), h

def train_epoch(model, batches, opt):
    h, total = None, 0.0
    for xb, yb in batches:
        out, h = model(xb, h)
        loss = nn.functional.mse_loss(out, yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        h = h.detach()
        total += loss.item()
    return total / len(batches), h

# %%
model = Forecaster()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)

# %%
curve = []
for ep in range(8):
    l, h = train_epoch(model, batches, opt)
    curve.append(l)
    print(ep, round(l, 4))
