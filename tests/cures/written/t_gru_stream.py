# group: torch
# seen: 2026-11-29b
# fails: RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.
# cause: the hidden state of the last piece still hangs on that piece's graph, which backward() has freed; detach it between pieces.
# holds: len(losses) -> 10
# holds: bool(all(l == l for l in losses)) -> True
# holds: tuple(h.shape) -> (1, 1, 16)

# %%
import torch, math
from torch import nn

torch.manual_seed(0)
wave = torch.sin(torch.arange(0, 201) * 2 * math.pi / 25)
pieces = wave[:-1].view(10, 20)
nexts = wave[1:].view(10, 20)
pieces.shape

# %%
gru = nn.GRU(1, 16, batch_first=True)
head = nn.Linear(16, 1)
opt = torch.optim.Adam([*gru.parameters(), *head.parameters()], lr=0.01)
mse = nn.MSELoss()

# %%
# walk along the wave, keep the memory from piece to piece
h = None
losses = []
for x, y in zip(pieces, nexts):
    out, h = gru(x.view(1, -1, 1), h)
    loss = mse(head(out).flatten(), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())

# %% [repaired]
# walk along the wave, keep the memory from piece to piece
h = None
losses = []
for x, y in zip(pieces, nexts):
    if h is not None:
        h = h.detach()
    out, h = gru(x.view(1, -1, 1), h)
    loss = mse(head(out).flatten(), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())

# %%
print([round(l, 3) for l in losses])

# %%
h.norm()
