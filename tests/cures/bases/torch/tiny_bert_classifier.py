# library: transformers
# needs: torch, transformers
# compare: logits_shape, train_losses, predicted

# %%
import torch
from transformers import BertConfig, BertForSequenceClassification, set_seed

set_seed(42)

# %%
config = BertConfig(
    vocab_size=60,
    hidden_size=32,
    num_hidden_layers=2,
    num_attention_heads=2,
    intermediate_size=64,
    max_position_embeddings=32,
    num_labels=2,
)
model = BertForSequenceClassification(config)
print(f"{model.num_parameters():,} parameters")

# %%
texts = ["good very good", "bad so bad", "good film", "a bad film", "so so good", "very bad"]
labels = torch.tensor([1, 0, 1, 0, 1, 0])
vocab = {"[PAD]": 0, "[CLS]": 1, "[SEP]": 2}
for t in texts:
    for w in t.split():
        vocab.setdefault(w, len(vocab))

def encode(text, max_length=8):
    ids = [vocab["[CLS]"]] + [vocab[w] for w in text.split()] + [vocab["[SEP]"]]
    mask = [1] * len(ids) + [0] * (max_length - len(ids))
    return ids + [0] * (max_length - len(ids)), mask

input_ids, attention_mask = map(torch.tensor, zip(*[encode(t) for t in texts]))
input_ids.shape

# %%
out = model(input_ids=input_ids, attention_mask=attention_mask, labels=labels)
logits_shape = tuple(out.logits.shape)
logits_shape, round(out.loss.item(), 3)

# %%
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
model.train()
train_losses = []
for epoch in range(6):
    optimizer.zero_grad()
    loss = model(input_ids=input_ids, attention_mask=attention_mask, labels=labels).loss
    loss.backward()
    optimizer.step()
    train_losses.append(round(loss.item(), 3))
train_losses

# %%
model.eval()
with torch.no_grad():
    logits = model(input_ids=input_ids, attention_mask=attention_mask).logits
predicted = logits.argmax(-1).tolist()
config.id2label[predicted[0]], predicted

