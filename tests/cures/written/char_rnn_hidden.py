# group: torch
# seen: 2026-11-30g
# fails: RuntimeError: Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.
# cause: the hidden state is carried from one chunk to the next together with its graph, which backward() has already freed; detach it.
# holds: len(losses) -> 19
# holds: tuple(h.shape), bool(h.abs().sum() > 0) -> ((1, 1, 32), True)
# holds: losses[-1] < losses[0] -> True

# %%
import torch
import torch.nn as nn
torch.manual_seed(0)

# %%
text = "to be or not to be that is the question " * 20
chars = sorted(set(text))
stoi = {c: i for i, c in enumerate(chars)}
data = torch.tensor([stoi[c] for c in text])
print(len(chars), data.shape)

# %%
class CharRNN(nn.Module):
    def __init__(self, vocab, hid=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, 16)
        self.rnn = nn.GRU(16, hid, batch_first=True)
        self.out = nn.Linear(hid, vocab)
    def forward(self, x, h=None):
        z, h = self.rnn(self.emb(x), h)
        return self.out(z), h

net = CharRNN(len(chars))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
lossf = nn.CrossEntropyLoss()

# %%
# carry the hidden state over, so that the net remembers the text before
losses, h, L = [], None, 40
for i in range(0, len(data) - L - 1, L):
    x, y = data[i:i+L][None], data[i+1:i+L+1]
    logits, h = net(x, h)
    loss = lossf(logits[0], y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    losses.append(loss.item())

# %% [repaired]
# carry the hidden state over, so that the net remembers the text before
losses, h, L = [], None, 40
for i in range(0, len(data) - L - 1, L):
    x, y = data[i:i+L][None], data[i+1:i+L+1]
    logits, h = net(x, h)
    loss = lossf(logits[0], y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    h = h.detach()
    losses.append(loss.item())

# %%
print("first %.2f last %.2f" % (losses[0], losses[-1]))
