# group: torch
# seen: 2026-11-28
# fails: IndexError: index out of range in self
# cause: encode() adds unknown words to vocab; the validation texts are encoded after the model was made with
#   len(vocab) of the train texts, so their indices are beyond the embedding.
# holds: len(val_pred) -> 4
# holds: emb_rows == len(vocab) -> True
# holds: int(max(v.max() for v in val_ids)) < emb_rows -> True

# %%
import torch
from torch import nn
torch.manual_seed(2)

train_texts = ["cheap pills online", "meeting at noon", "win cash now", "lunch with team", "cash prize online", "notes from meeting"]
train_y = torch.tensor([1, 0, 1, 0, 1, 0])
val_texts = ["win a prize", "team meeting tomorrow", "cheap watches", "dinner at noon"]
val_y = torch.tensor([1, 0, 1, 0])

# %%
vocab = {"<pad>": 0, "<unk>": 1}
L = 4
def encode(text):
    ids = [vocab.setdefault(w, len(vocab)) for w in text.lower().split()][:L]
    return torch.tensor(ids + [0] * (L - len(ids)))

# %% [repaired]
vocab = {"<pad>": 0, "<unk>": 1}
L = 4
for t in train_texts:
    for w in t.lower().split():
        vocab.setdefault(w, len(vocab))
def encode(text):
    ids = [vocab.get(w, vocab["<unk>"]) for w in text.lower().split()][:L]
    return torch.tensor(ids + [0] * (L - len(ids)))

# %%
train_ids = torch.stack([encode(t) for t in train_texts])
print(len(vocab), "words")

# %%
class TextNet(nn.Module):
    def __init__(self, n_words, dim=8):
        super().__init__()
        self.emb = nn.Embedding(n_words, dim, padding_idx=0)
        self.fc = nn.Linear(dim, 2)
    def forward(self, ids):
        return self.fc(self.emb(ids).mean(1))

model = TextNet(len(vocab))

# %%
opt = torch.optim.Adam(model.parameters(), lr=.05)
for _ in range(60):
    loss = nn.functional.cross_entropy(model(train_ids), train_y)
    opt.zero_grad(); loss.backward(); opt.step()
print("train loss", round(loss.item(), 4))

# %%
val_ids = torch.stack([encode(t) for t in val_texts])
emb_rows = model.emb.num_embeddings

# %%
with torch.no_grad():
    val_pred = model(val_ids).argmax(1)
print("val acc", (val_pred == val_y).float().mean().item())
