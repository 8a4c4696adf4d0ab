# group: torch
# seen: 2026-11-29d
# fails: ValueError: Target size (torch.Size([16])) must be the same as input size (torch.Size([11]))
# cause: pad_sequence in collate() gives (time, batch) because batch_first=True is missing, while model and labels count on
#   (batch, time); the sizes of output and labels differ.
# holds: ids.shape[0] == lab.shape[0] -> True
# holds: tuple(model(ids).shape) == tuple(lab.shape) -> True
# holds: ids.shape[1] >= 3 -> True

# %%
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

# %%
torch.manual_seed(9)
texts = [torch.randint(1, 50, (int(n),)) for n in torch.randint(3, 13, (48,))]
labels = torch.randint(0, 2, (48,)).tolist()
pairs = list(zip(texts, labels))
pairs[0]

# %%
def collate(batch):
    seqs, labs = zip(*batch)
    padded = pad_sequence(seqs, padding_value=0)
    return padded, torch.tensor(labs, dtype=torch.float)

loader = DataLoader(pairs, batch_size=16, collate_fn=collate)

# %% [repaired]
def collate(batch):
    seqs, labs = zip(*batch)
    padded = pad_sequence(seqs, batch_first=True, padding_value=0)
    return padded, torch.tensor(labs, dtype=torch.float)

loader = DataLoader(pairs, batch_size=16, collate_fn=collate)

# %%
class Bag(nn.Module):
    def __init__(self, vocab, dim=12):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=0)
        self.out = nn.Linear(dim, 1)
    def forward(self, ids):          # ids: batch x time
        m = (ids != 0).unsqueeze(-1)
        h = (self.emb(ids) * m).sum(1) / m.sum(1).clamp(min=1)
        return self.out(h).squeeze(-1)

# %%
model = Bag(50)
bce = nn.BCEWithLogitsLoss()
optim = torch.optim.AdamW(model.parameters(), lr=3e-3)

# %%
for ids, lab in loader:
    loss = bce(model(ids), lab)
    optim.zero_grad()
    loss.backward()
    optim.step()
    print(loss.item())
