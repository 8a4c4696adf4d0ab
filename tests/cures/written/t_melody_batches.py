# group: torch
# seen: 2026-11-29b
# fails: RuntimeError: stack expects each tensor to be equal size, but got [3] at entry 0 and [5] at entry 1
# cause: the melodies have different lengths, so the default collate cannot stack them; they must be padded in a collate_fn.
# holds: seen -> 7
# holds: notes -> 31
# holds: tuple(xb.shape)[0] -> 3

# %%
import torch
from torch.utils.data import Dataset, DataLoader
from torch.nn.utils.rnn import pad_sequence

# %%
class Melodies(Dataset):
    def __init__(self, tunes):
        self.tunes = tunes
    def __len__(self):
        return len(self.tunes)
    def __getitem__(self, i):
        return torch.tensor(self.tunes[i])

# note numbers (never 0)
tunes = [[60, 62, 64], [60, 60, 67, 67, 69], [64, 62], [72, 71, 69, 67, 65, 64, 62],
         [60, 64, 67, 72], [55, 57, 59, 60], [62, 62, 65, 69, 69, 72]]
ds = Melodies(tunes)
len(ds), ds[2]

# %%
# 0 is the pause / padding
dl = DataLoader(ds, batch_size=4, shuffle=False)

# %% [repaired]
# 0 is the pause / padding
def pad(batch):
    return pad_sequence(batch, batch_first=True, padding_value=0)

dl = DataLoader(ds, batch_size=4, shuffle=False, collate_fn=pad)

# %%
seen, notes = 0, 0
for xb in dl:
    seen += len(xb)
    notes += int((xb > 0).sum())
    print(xb.shape)

# %%
print(f"{seen} melodies, {notes} notes, {notes / seen:.1f} on average")
