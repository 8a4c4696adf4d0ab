# group: torch
# seen: 2026-11-29b
# fails: IndexError: index out of range in self
# cause: the letters are numbered from 1 (0 is padding), so the embedding needs len(letters) + 1 rows.
# holds: emb.num_embeddings == len(letters) + 1 -> True
# holds: tuple(vec.shape) -> (4, 8)
# holds: bool((emb(torch.tensor(0)) == 0).all()) -> True

# %%
import torch
from torch import nn

names = ["rex", "bello", "mia", "zorro"]

# %%
letters = sorted(set("".join(names)))
stoi = {c: i + 1 for i, c in enumerate(letters)}      # 0 = padding
print(len(letters), stoi)

# %%
L = max(len(n) for n in names)
ids = torch.zeros(len(names), L, dtype=torch.long)
for r, n in enumerate(names):
    for c, ch in enumerate(n):
        ids[r, c] = stoi[ch]
ids

# %%
torch.manual_seed(1)
emb = nn.Embedding(len(letters), 8, padding_idx=0)
emb

# %% [repaired]
torch.manual_seed(1)
emb = nn.Embedding(len(letters) + 1, 8, padding_idx=0)
emb

# %%
e = emb(ids)
n_real = (ids > 0).sum(1, keepdim=True)
vec = e.sum(1) / n_real
print(vec.shape)

# %%
sim = torch.cosine_similarity(vec[:, None], vec[None], dim=-1)
print(sim.detach().numpy().round(2))
