# group: torch
# seen: 2026-11-30h
# fails: RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.
# cause: the hidden state is carried to the next piece with its graph, so the second backward goes through the first
#   piece's freed graph; it must be detached between the pieces.
# holds: len(hist) -> 20
# holds: tuple(h.shape) -> (1, 1, 16)
# holds: sum(hist[-5:]) < sum(hist[:5]) -> True

# %% [markdown]
# stateful GRU on one long sine, truncated BPTT with chunks of 20

# %%
import torch
import torch.nn as nn
import matplotlib.pyplot as plt

# %%
torch.manual_seed(3)
wave = torch.sin(torch.arange(0, 401) * 0.1)
x_all = wave[:-1].view(1, -1, 1)
y_all = wave[1:].view(1, -1, 1)
x_all.shape

# %%
gru = nn.GRU(1, 16, batch_first=True)
head = nn.Linear(16, 1)
opt = torch.optim.Adam(list(gru.parameters()) + list(head.parameters()), lr=0.02)
mse = nn.MSELoss()

# %%
hist = []
h = torch.zeros(1, 1, 16)
for s in range(0, 400, 20):
    o, h = gru(x_all[:, s:s + 20], h)
    loss = mse(head(o), y_all[:, s:s + 20])
    opt.zero_grad()
    loss.backward()
    opt.step()
    hist.append(loss.item())

# %% [repaired]
hist = []
h = torch.zeros(1, 1, 16)
for s in range(0, 400, 20):
    o, h = gru(x_all[:, s:s + 20], h)
    h = h.detach()
    loss = mse(head(o), y_all[:, s:s + 20])
    opt.zero_grad()
    loss.backward()
    opt.step()
    hist.append(loss.item())

# %%
plt.plot(hist); plt.ylabel("mse"); plt.show()
print(hist[0], "->", hist[-1])
