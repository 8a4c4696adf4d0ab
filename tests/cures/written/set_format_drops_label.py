# group: torch
# seen: 2026-11-29c
# fails: KeyError: 'label'
# cause: set_format() lists only input_ids and mask, so the label is left out of every row the loader gets.
# holds: sorted(next(iter(dl))) -> ['input_ids', 'label', 'mask']
# holds: seen -> 24
# holds: positives -> 12

# %%
from datasets import Dataset
from torch.utils.data import DataLoader
import torch

# %%
subjects = ["win a free phone now", "minutes of the meeting", "free tickets click now", "lunch on friday",
            "your invoice for june", "click to win"] * 4
is_spam = [1, 0, 1, 0, 0, 1] * 4
ds = Dataset.from_dict({"subject": subjects, "label": is_spam})
ds

# %%
words = sorted({w for s in subjects for w in s.split()})
stoi = {w: i + 1 for i, w in enumerate(words)}
MAXLEN = 6

def encode(row):
    ids = [stoi[w] for w in row["subject"].split()][:MAXLEN]
    pad = MAXLEN - len(ids)
    return {"input_ids": ids + [0] * pad, "mask": [1] * len(ids) + [0] * pad}

# %%
ds = ds.map(encode)
ds.set_format("torch", columns=["input_ids", "mask"])
print(ds)

# %% [repaired]
ds = ds.map(encode)
ds.set_format("torch", columns=["input_ids", "mask", "label"])
print(ds)

# %%
dl = DataLoader(ds, batch_size=8)

# %%
seen, positives = 0, 0
for batch in dl:
    seen += len(batch["input_ids"])
    positives += int(batch["label"].sum())
print(f"{positives}/{seen} spam")
