# group: torch
# seen: 2026-11-30g
# fails: AttributeError: 'list' object has no attribute 'to'
# cause: the dataset gives plain Python lists, and the DataLoader collates lists of numbers position by position into a list of tensors;
#   set_format("torch") is missing.
# holds: batch["input_ids"].shape -> torch.Size([3, 5])
# holds: sorted(batch) -> ['attention_mask', 'input_ids', 'label']
# holds: n_tokens -> 14

# %%
import torch
from datasets import Dataset
from torch.utils.data import DataLoader

# %%
sents = ["good movie", "bad movie", "very good acting", "very bad plot", "good plot", "bad acting"]
vocab = {"[PAD]": 0}
for s in sents:
    for w in s.split():
        vocab.setdefault(w, len(vocab))
ds = Dataset.from_dict({"text": sents, "label": [1, 0, 1, 0, 1, 0]})

# %%
def tokenize(ex):
    ids = [vocab[w] for w in ex["text"].split()][:5]
    return {"input_ids": ids + [0] * (5 - len(ids)), "attention_mask": [1] * len(ids) + [0] * (5 - len(ids))}

ds = ds.map(tokenize).remove_columns("text")
ds[0]

# %%
loader = DataLoader(ds, batch_size=3)
len(loader)

# %% [repaired]
ds.set_format("torch")
loader = DataLoader(ds, batch_size=3)
len(loader)

# %%
device = "cuda" if torch.cuda.is_available() else "cpu"
n_tokens = 0
for batch in loader:
    batch = {k: v.to(device) for k, v in batch.items()}
    n_tokens += int(batch["attention_mask"].sum())
print("tokens seen:", n_tokens)
