# group: torch
# seen: 2026-11-29d
# fails: RuntimeError: start (29) + length (3) exceeds dimension size (29).
# cause: batch_names() cuts the sequences to MAXLEN but reports the lengths before the cut, which are longer than the
#   padded tensor; measure after cutting.
# holds: int(lens.max()) <= MAXLEN -> True
# holds: x.shape[1] == int(lens.max()) -> True
# holds: int(batch_names([names[0], names[3]])[1].min()) -> 3

# %%
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence, pack_padded_sequence
from torch.utils.data import DataLoader

# %%
names = ["maximiliane", "li", "christopher", "ann", "bartholomew", "yusuf", "konstantin", "mia", "alexandrina", "bo"]
origin = [0, 1, 2, 2, 2, 1, 0, 0, 0, 1]
MAXLEN = 8
encode = lambda s: torch.tensor([ord(c) - 96 for c in s])

# %%
def batch_names(ns):
    seqs = [encode(n) for n in ns]
    lens = torch.tensor([len(s) for s in seqs])
    seqs = [s[:MAXLEN] for s in seqs]
    return pad_sequence(seqs, batch_first=True), lens

def collate_names(items):
    ns, ys = zip(*items)
    x, lens = batch_names(ns)
    return x, lens, torch.tensor(ys)

# %% [repaired]
def batch_names(ns):
    seqs = [encode(n)[:MAXLEN] for n in ns]
    lens = torch.tensor([len(s) for s in seqs])
    return pad_sequence(seqs, batch_first=True), lens

def collate_names(items):
    ns, ys = zip(*items)
    x, lens = batch_names(ns)
    return x, lens, torch.tensor(ys)

# %%
class NameNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(27, 8, padding_idx=0)
        self.gru = nn.GRU(8, 16, batch_first=True)
        self.fc = nn.Linear(16, 3)
    def forward(self, x, lens):
        packed = pack_padded_sequence(self.emb(x), lens, batch_first=True, enforce_sorted=False)
        _, h = self.gru(packed)
        return self.fc(h[-1])

# %%
torch.manual_seed(0)
loader = DataLoader(list(zip(names, origin)), batch_size=5, collate_fn=collate_names)
nnet = NameNet()
opt = torch.optim.Adam(nnet.parameters(), 1e-2)

# %%
for epoch in range(3):
    for x, lens, y in loader:
        loss = nn.functional.cross_entropy(nnet(x, lens), y)
        opt.zero_grad(); loss.backward(); opt.step()
    print(epoch, loss.item())
