# group: torch
# seen: 2026-11-28
# fails: RuntimeError: stack expects each tensor to be equal size, but got [4] at entry 0 and [3] at entry 1
# cause: The dataset gives sequences of different length and the loader (cell 4) has no collate_fn that pads them.
# holds: logits.shape[1] -> 2
# holds: seen -> 32

# %%
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset, DataLoader
torch.manual_seed(0)

# %%
sents = ["i like tea", "tea is fine", "we never drink coffee in the evening", "coffee", "i do not like it at all",
         "so good", "what a bad cup", "lovely smell and taste"] * 4
targets = [1, 1, 0, 1, 0, 1, 0, 1] * 4
stoi = {"<pad>": 0}
for s in sents:
    for w in s.split():
        stoi.setdefault(w, len(stoi))
len(stoi)

# %%
class SentDS(Dataset):
    def __len__(self): return len(sents)
    def __getitem__(self, i):
        return torch.tensor([stoi[w] for w in sents[i].split()]), torch.tensor(targets[i])

# %%
ds = SentDS()
print(ds[0], ds[2][0].shape)
dl = DataLoader(ds, batch_size=8, shuffle=True)

# %% [repaired]
ds = SentDS()
print(ds[0], ds[2][0].shape)
def pad_batch(batch):
    xs, ys = zip(*batch)
    return pad_sequence(xs, batch_first=True), torch.stack(ys)
dl = DataLoader(ds, batch_size=8, shuffle=True, collate_fn=pad_batch)

# %%
class Bag(nn.Module):
    def __init__(self, V, d=16):
        super().__init__()
        self.emb = nn.Embedding(V, d, padding_idx=0)
        self.fc = nn.Linear(d, 2)
    def forward(self, x):
        mask = (x != 0).unsqueeze(-1)
        return self.fc((self.emb(x) * mask).sum(1) / mask.sum(1))

# %%
model = Bag(len(stoi))
opt = torch.optim.Adam(model.parameters(), 1e-2)
seen = 0
for xb, yb in dl:
    logits = model(xb)
    loss = nn.functional.cross_entropy(logits, yb)
    opt.zero_grad(); loss.backward(); opt.step()
    seen += len(yb)
print(seen, loss.item())
