# group: torch
# seen: 2026-11-29e
# fails: RuntimeError: stack expects each tensor to be equal size, but got [4] at entry 0 and [5] at entry 2
# cause: the names have different lengths, the default collate can't stack them; it needs a collate_fn that pads.
# holds: tuple(xb.shape) -> (3, 5)
# holds: int((xb[0] != 0).sum()) -> 4
# holds: yb.tolist() -> [0, 1, 0]

# %%
import torch
from torch.utils.data import Dataset, DataLoader
from torch.nn.utils.rnn import pad_sequence

# %%
names = [("anna", 0), ("ivan", 1), ("maria", 0), ("bo", 1), ("alexandra", 0), ("jon", 1)]
stoi = {c: i + 1 for i, c in enumerate("abcdefghijklmnopqrstuvwxyz")}   # 0 = padding

# %%
class Names(Dataset):
    def __init__(self, items):
        self.items = items
    def __len__(self):
        return len(self.items)
    def __getitem__(self, i):
        name, sex = self.items[i]
        return torch.tensor([stoi[c] for c in name]), sex

ds = Names(names)
ds[0]

# %%
dl = DataLoader(ds, batch_size=3)

# %% [repaired]
def collate(batch):
    xs, ys = zip(*batch)
    return pad_sequence(xs, batch_first=True, padding_value=0), torch.tensor(ys)

dl = DataLoader(ds, batch_size=3, collate_fn=collate)

# %%
xb, yb = next(iter(dl))
print(xb, yb)

# %%
emb = torch.nn.Embedding(27, 4, padding_idx=0)
emb(xb).shape
