# group: torch
# seen: 2026-11-29e
# fails: RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.
# cause: the hidden state is carried over to the next piece with its graph; it must be detached after each step.
# holds: len(losses) -> 10
# holds: round(losses[-1], 2) -> 0.32
# holds: tuple(h.shape) -> (1, 1, 12)

# %%
import torch
import torch.nn as nn
import math

# %%
torch.manual_seed(5)
wave = torch.sin(torch.arange(401) * math.pi / 10)
pieces = [(wave[i:i + 40].view(1, 40, 1), wave[i + 1:i + 41].view(1, 40, 1)) for i in range(0, 400, 40)]
len(pieces)

# %%
rnn = nn.RNN(1, 12, batch_first=True)
head = nn.Linear(12, 1)
opt = torch.optim.Adam([*rnn.parameters(), *head.parameters()], lr=1e-2)

# %%
# stateful: keep h from one piece to the next
h = torch.zeros(1, 1, 12)
losses = []
for xs, ys in pieces:
    out, h = rnn(xs, h)
    loss = ((head(out) - ys) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())

# %% [repaired]
# stateful: keep h from one piece to the next
h = torch.zeros(1, 1, 12)
losses = []
for xs, ys in pieces:
    out, h = rnn(xs, h)
    h = h.detach()
    loss = ((head(out) - ys) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())

# %%
print([round(l, 3) for l in losses])
