# group: torch
# seen: 2026-11-30f
# fails: IndexError: Target 2 is out of bounds.
# cause: the config lacks num_labels=3, so the classifier has the default of two outputs while the targets go up to 2.
# holds: model.config.num_labels -> 3
# holds: out.logits.shape -> torch.Size([6, 3])
# holds: sorted(set(pred.tolist()) - {0, 1, 2}) -> []

# %%
import torch
from transformers import BertConfig, BertForSequenceClassification

# %%
# neg / neutral / pos
texts = ["bad battery", "it is okay", "great screen", "broke in a week", "fine i guess", "love it"]
labels = torch.tensor([0, 1, 2, 0, 1, 2])

# %%
words = sorted({w for t in texts for w in t.split()})
vocab = {"[PAD]": 0, **{w: i + 1 for i, w in enumerate(words)}}
ids = torch.zeros(len(texts), 5, dtype=torch.long)
for r, t in enumerate(texts):
    for c, w in enumerate(t.split()):
        ids[r, c] = vocab[w]
mask = (ids != 0).long()
ids

# %%
conf = BertConfig(
    vocab_size=len(vocab),
    hidden_size=32,
    num_hidden_layers=2,
    num_attention_heads=4,
    intermediate_size=64,
    max_position_embeddings=16,
)

# %% [repaired]
conf = BertConfig(
    vocab_size=len(vocab),
    hidden_size=32,
    num_hidden_layers=2,
    num_attention_heads=4,
    intermediate_size=64,
    max_position_embeddings=16,
    num_labels=3,
)

# %%
torch.manual_seed(0)
model = BertForSequenceClassification(conf)
print(f"{model.num_parameters():,} parameters")

# %%
out = model(input_ids=ids, attention_mask=mask, labels=labels)
out.loss

# %%
pred = out.logits.argmax(-1)
pred
