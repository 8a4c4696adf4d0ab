# group: torch
# seen: 2026-11-29c
# fails: IndexError: Target 2 is out of bounds.
# cause: BertConfig is made without num_labels, so the model has the default of two classes, but there are four topics.
# holds: model.config.num_labels -> 4
# holds: model.classifier.out_features -> 4
# holds: tuple(out.logits.shape) -> (16, 4)

# %%
import torch
from transformers import BertConfig, BertForSequenceClassification

# %%
topics = ["sport", "politics", "culture", "weather"]
torch.manual_seed(2)
ids = torch.randint(5, 100, (16, 12))
labels = torch.arange(16) % len(topics)
labels

# %%
config = BertConfig(vocab_size=100, hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
                    intermediate_size=64, max_position_embeddings=16)
model = BertForSequenceClassification(config)

# %% [repaired]
config = BertConfig(vocab_size=100, hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
                    intermediate_size=64, max_position_embeddings=16, num_labels=len(topics))
model = BertForSequenceClassification(config)

# %%
n_par = sum(p.numel() for p in model.parameters())
print(f"{n_par:,} parameters")

# %%
optim = torch.optim.AdamW(model.parameters(), lr=1e-3)
model.train()
for step in range(3):
    out = model(input_ids=ids, labels=labels)
    out.loss.backward()
    optim.step()
    optim.zero_grad()
    print(step, round(out.loss.item(), 3))

# %%
model.eval()
with torch.no_grad():
    guess = model(input_ids=ids[:4]).logits.argmax(-1)
print([topics[i] for i in guess])
