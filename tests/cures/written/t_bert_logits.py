# group: torch
# seen: 2026-11-29b
# fails: AttributeError: 'SequenceClassifierOutput' object has no attribute 'argmax'
# cause: a transformers model returns an output object; the scores are its .logits.
# holds: tuple(preds.shape) -> (3,)
# holds: bool(set(preds.tolist()) <= {0, 1, 2, 3}) -> True
# holds: bool(torch.equal(preds, model(input_ids=ids, attention_mask=mask).logits.argmax(dim=-1))) -> True

# %%
import torch
from transformers import BertConfig, BertForSequenceClassification

# %%
# very small BERT, random weights (only to try the loop)
torch.manual_seed(0)
cfg = BertConfig(vocab_size=100, hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
                 intermediate_size=64, max_position_embeddings=32, num_labels=4)
model = BertForSequenceClassification(cfg).eval()
print(f"{model.num_parameters():,}")

# %%
ids = torch.randint(5, 100, (3, 12))
mask = torch.ones_like(ids)
mask[1, 8:] = 0
ids[mask == 0] = 0
ids

# %%
with torch.no_grad():
    outputs = model(input_ids=ids, attention_mask=mask)
preds = outputs.argmax(dim=-1)

# %% [repaired]
with torch.no_grad():
    outputs = model(input_ids=ids, attention_mask=mask)
preds = outputs.logits.argmax(dim=-1)

# %%
labels = ["sport", "politics", "film", "food"]
for p in preds:
    print(labels[p])
