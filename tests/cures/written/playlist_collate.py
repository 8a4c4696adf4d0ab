# group: torch
# seen: 2026-11-30f
# fails: RuntimeError: stack expects each tensor to be equal size, but got [7] at entry 0 and [12] at entry 1
# cause: the playlists have different lengths and the DataLoader uses the default collate; it needs a collate_fn that pads.
# holds: len(loader) -> 5
# holds: seen_lists -> 50
# holds: n_tracks -> 542

# %%
import random
import torch
from torch.utils.data import Dataset, DataLoader
from torch.nn.utils.rnn import pad_sequence

# %%
random.seed(14)
# track ids 1..500, 0 is kept free for padding
playlists = [[random.randint(1, 500) for _ in range(random.randint(4, 20))] for _ in range(50)]
moods = [random.randint(0, 2) for _ in playlists]
print(sum(map(len, playlists)), "tracks")

# %%
class Playlists(Dataset):
    def __len__(self):
        return len(playlists)

    def __getitem__(self, i):
        return torch.tensor(playlists[i]), moods[i]

ds = Playlists()
ds[0]

# %%
loader = DataLoader(ds, batch_size=10, shuffle=False)
len(loader)

# %% [repaired]
def pad_batch(items):
    seqs, labels = zip(*items)
    return pad_sequence(seqs, batch_first=True, padding_value=0), torch.tensor(labels)

loader = DataLoader(ds, batch_size=10, shuffle=False, collate_fn=pad_batch)
len(loader)

# %%
emb = torch.nn.Embedding(501, 16, padding_idx=0)
seen_lists, n_tracks = 0, 0
for seq, mood in loader:
    mask = seq != 0
    vec = emb(seq).sum(1) / mask.sum(1, keepdim=True)
    seen_lists += len(vec)
    n_tracks += int(mask.sum())

# %%
print(seen_lists, "lists embedded,", n_tracks, "tracks")
