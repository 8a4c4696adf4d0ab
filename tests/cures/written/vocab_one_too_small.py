# group: torch
# seen: 2026-11-29c
# fails: IndexError: index out of range in self
# cause: word numbers start at 1 as 0 is the padding, so the embedding needs len(vocab) + 1 rows; the model is built with len(vocab).
# holds: model.emb.num_embeddings -> 14
# holds: int(X.max()) -> 13
# holds: tuple(model(X).shape) -> (6,)

# %%
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence

# %%
reviews = ["great coffee and friendly staff", "cold coffee never again", "friendly place great cake",
           "rude staff and old cake", "great great place", "never again so rude"]
labels = torch.tensor([1., 0., 1., 0., 1., 0.])

# %%
vocab = {}
for r in reviews:
    for w in r.split():
        if w not in vocab:
            vocab[w] = len(vocab) + 1     # 0 = padding
print(len(vocab), "words")

# %%
X = pad_sequence([torch.tensor([vocab[w] for w in r.split()]) for r in reviews], batch_first=True)
X

# %%
class BagOfWords(nn.Module):
    def __init__(self, n_words, dim=8):
        super().__init__()
        self.emb = nn.Embedding(n_words, dim, padding_idx=0)
        self.out = nn.Linear(dim, 1)

    def forward(self, x):
        return self.out(self.emb(x).sum(1)).squeeze(1)

torch.manual_seed(0)
model = BagOfWords(len(vocab))

# %% [repaired]
class BagOfWords(nn.Module):
    def __init__(self, n_words, dim=8):
        super().__init__()
        self.emb = nn.Embedding(n_words, dim, padding_idx=0)
        self.out = nn.Linear(dim, 1)

    def forward(self, x):
        return self.out(self.emb(x).sum(1)).squeeze(1)

torch.manual_seed(0)
model = BagOfWords(len(vocab) + 1)

# %%
opt = torch.optim.SGD(model.parameters(), lr=0.2)
for i in range(20):
    loss = nn.functional.binary_cross_entropy_with_logits(model(X), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss)
