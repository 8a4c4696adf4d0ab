# group: torch
# seen: 2026-11-30h
# fails: RuntimeError: stack expects each tensor to be equal size, but got [11] at entry 0 and [3] at entry 1
# cause: the reviews have different lengths, so the default collate can't stack them; the DataLoader needs a collate_fn
#   which pads to the longest of the batch.
# holds: len(shapes) -> 3
# holds: all(s[0] == 4 for s in shapes) -> True
# holds: [s[1] for s in shapes] == [max(len(t) for t in ds.texts[i:i + 4]) for i in range(0, 12, 4)] -> True

# %%
import torch
from torch.utils.data import Dataset, DataLoader
from torch.nn.utils.rnn import pad_sequence

# %%
class ReviewDataset(Dataset):
    def __init__(self, n=12, seed=0):
        g = torch.Generator().manual_seed(seed)
        lens = torch.randint(3, 12, (n,), generator=g).tolist()
        self.texts = [torch.randint(1, 100, (L,), generator=g) for L in lens]   # 0 = <pad>
        self.stars = torch.randint(1, 6, (n,), generator=g)

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, i):
        return self.texts[i], self.stars[i]

# %%
ds = ReviewDataset()
ds[0], ds[1]

# %%
loader = DataLoader(ds, batch_size=4)

# %% [repaired]
def pad_batch(batch):
    texts, stars = zip(*batch)
    return pad_sequence(texts, batch_first=True, padding_value=0), torch.stack(stars)

loader = DataLoader(ds, batch_size=4, collate_fn=pad_batch)

# %%
emb = torch.nn.Embedding(100, 8, padding_idx=0)
shapes = []
for texts, stars in loader:
    shapes.append(tuple(texts.shape))
    pooled = emb(texts).sum(dim=1)
print(shapes, pooled.shape)
