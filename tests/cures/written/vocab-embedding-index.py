# group: torch
# seen: 2026-11-30h
# fails: IndexError: index out of range in self
# cause: the ids start at 1 since 0 is the padding, so the biggest id is len(vocab) and the embedding needs one row more.
# holds: emb.num_embeddings == len(vocab) + 1 -> True
# holds: len(vocab) -> 14
# holds: tuple(vecs.shape) -> (4, 7, 10)
# holds: float(emb.weight[0].abs().sum()) -> 0.0

# %%
import torch
from torch import nn
from collections import Counter

# %%
corpus = [
    "the cat sat on the mat",
    "a dog ate my homework",
    "the dog and the cat are friends",
    "zebras",
]

# %%
counts = Counter(w for s in corpus for w in s.split())
vocab = {w: i for i, w in enumerate(sorted(counts), start=1)}   # 0 is for padding
print(len(vocab), list(vocab.items())[:4])

# %%
def encode(s, maxlen=7):
    ids = [vocab[w] for w in s.split()]
    return ids + [0] * (maxlen - len(ids))

batch = torch.tensor([encode(s) for s in corpus])
batch

# %%
torch.manual_seed(0)
emb = nn.Embedding(len(vocab), 10, padding_idx=0)

# %% [repaired]
torch.manual_seed(0)
emb = nn.Embedding(len(vocab) + 1, 10, padding_idx=0)

# %%
vecs = emb(batch)
print(vecs.shape)
