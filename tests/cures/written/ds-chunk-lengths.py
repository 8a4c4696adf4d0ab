# group: torch
# seen: 2026-11-28
# fails: ArrowInvalid: Column 2 named chunk expected length 8 but got length 25
# cause: chunk() returns more rows than it was given while the old columns stay, so the columns differ in length;
#   the map call lacks remove_columns.
# holds: len(chunks) -> 25
# holds: max(chunks["n_words"]) -> 20
# holds: sum(chunks["n_words"]) -> 429

# %% [markdown]
# Split long documents into pieces of at most 20 words before embedding.

# %%
from datasets import Dataset
import random

# %%
random.seed(2)
words = "data model train loss batch token layer head mask query value norm".split()
docs = Dataset.from_dict({
    "title": [f"doc{i}" for i in range(8)],
    "text": [" ".join(random.choices(words, k=random.randint(15, 90))) for _ in range(8)],
})
docs

# %%
SIZE = 20
def chunk(batch):
    out = {"chunk": [], "n_words": []}
    for text in batch["text"]:
        w = text.split()
        for i in range(0, len(w), SIZE):
            part = w[i:i + SIZE]
            out["chunk"].append(" ".join(part))
            out["n_words"].append(len(part))
    return out

# %%
# quick look on one
len(chunk(docs[:1])["chunk"])

# %%
chunks = docs.map(chunk, batched=True)
chunks

# %% [repaired]
chunks = docs.map(chunk, batched=True, remove_columns=docs.column_names)
chunks

# %%
full = chunks.filter(lambda r: r["n_words"] == SIZE)
print(len(full), "full pieces")
