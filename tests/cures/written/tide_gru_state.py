# group: torch
# seen: 2026-11-30f
# fails: RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.
# cause: train_step returns the hidden state with its graph, and the next step backpropagates through the old, already freed graph; it must be detached.
# holds: len(losses) -> 30
# holds: state.requires_grad -> False
# holds: state.shape -> torch.Size([1, 1, 12])
# holds: bool(sum(losses[-5:]) < sum(losses[:5])) -> True

# %%
import math
import torch, torch.nn as nn
torch.manual_seed(3)

# %%
t = torch.arange(0, 1201) * 0.1
level = (torch.sin(t) + 0.3 * torch.sin(0.5 * t)).reshape(1, -1, 1)   # (batch, time, 1)
level.shape

# %%
gru = nn.GRU(1, 12, batch_first=True)
head = nn.Linear(12, 1)
optim = torch.optim.Adam([*gru.parameters(), *head.parameters()], lr=0.01)

# %%
def train_step(x, y, state):
    out, state = gru(x, state)
    loss = ((head(out) - y) ** 2).mean()
    optim.zero_grad()
    loss.backward()
    optim.step()
    return loss.item(), state

# %% [repaired]
def train_step(x, y, state):
    out, state = gru(x, state)
    loss = ((head(out) - y) ** 2).mean()
    optim.zero_grad()
    loss.backward()
    optim.step()
    return loss.item(), state.detach()

# %%
losses, state = [], None
for start in range(0, 1200, 40):
    x = level[:, start:start + 40]
    y = level[:, start + 1:start + 41]
    l, state = train_step(x, y, state)
    losses.append(l)

# %%
print("first", round(losses[0], 3), "last", round(losses[-1], 3))
