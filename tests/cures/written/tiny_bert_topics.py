# group: torch
# seen: 2026-11-29d
# fails: IndexError: Target 2 is out of bounds.
# cause: the configuration does not say how many topics there are, so the head has 2 outputs (the default), while the
#   topics go up to 3; set num_labels=len(TOPICS).
# holds: bert.config.num_labels -> 4
# holds: tuple(out.logits.shape) -> (6, 4)
# holds: bert.classifier.out_features == len(TOPICS) -> True

# %%
import torch
from transformers import BertConfig, BertForSequenceClassification

# %%
TOPICS = ["sports", "politics", "science", "culture"]
heads = [("goal in the last minute", "sports"), ("new law on housing", "politics"), ("a comet comes close", "science"),
         ("opera opens its season", "culture"), ("the team lost again", "sports"), ("minister steps back", "politics")]
words = sorted({w for h, _ in heads for w in h.split()})
w2i = {w: i + 1 for i, w in enumerate(words)}

# %%
cfg = BertConfig(vocab_size=len(w2i) + 1, hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
                 intermediate_size=64, max_position_embeddings=16)
torch.manual_seed(0)
bert = BertForSequenceClassification(cfg)
bert.num_parameters()

# %% [repaired]
cfg = BertConfig(vocab_size=len(w2i) + 1, hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
                 intermediate_size=64, max_position_embeddings=16, num_labels=len(TOPICS))
torch.manual_seed(0)
bert = BertForSequenceClassification(cfg)
bert.num_parameters()

# %%
L = 6
ids = torch.zeros(len(heads), L, dtype=torch.long)
for r, (h, _) in enumerate(heads):
    for c, w in enumerate(h.split()):
        ids[r, c] = w2i[w]
y = torch.tensor([TOPICS.index(t) for _, t in heads])
print(ids.shape, y)

# %%
out = bert(input_ids=ids, attention_mask=(ids > 0).long(), labels=y)
print("loss at the start", out.loss.item())
