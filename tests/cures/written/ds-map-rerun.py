# group: torch
# seen: 2026-11-28
# fails: ValueError: Column to remove ['text'] not in the dataset. Current columns in the dataset: ['label', 'ids', 'n']
# order: 1, 2, 3, 4, 4
# again: 1, 2, 3, 4, 4, 5
# cause: The map cell overwrites ds and removes "text"; run twice, there is no "text" column any more.
# holds: sorted(split["train"].column_names) -> ['ids', 'label', 'n']
# holds: len(split["train"]) -> 24
# holds: len(split["test"]) -> 6
# holds: int(sum(split["train"]["n"]) + sum(split["test"]["n"])) -> 125

# %%
from datasets import Dataset
from collections import Counter

# %%
texts = ["good film, really good", "what a waste of time", "the plot was thin but the actors good",
         "never again", "a small wonder", "time well spent"] * 5
labels = [1, 0, 1, 0, 1, 1] * 5
raw = Dataset.from_dict({"text": texts, "label": labels})
ds = raw
ds

# %%
vocab = {w: i + 1 for i, (w, _) in enumerate(Counter(" ".join(texts).replace(",", "").split()).most_common())}
MAXLEN = 8
def encode(ex):
    ids = [vocab[w] for w in ex["text"].replace(",", "").split()][:MAXLEN]
    return {"ids": ids + [0] * (MAXLEN - len(ids)), "n": len(ids)}

# %%
ds = ds.map(encode, remove_columns=["text"])
ds[0]

# %% [repaired]
ds = raw.map(encode, remove_columns=["text"])
ds[0]

# %%
split = ds.train_test_split(test_size=.2, seed=0)
print(split["train"].num_rows, split["test"].num_rows)
