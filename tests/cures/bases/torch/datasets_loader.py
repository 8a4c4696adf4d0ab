# library: datasets
# needs: datasets, torch
# compare: sizes, shapes, vocabulary, total

# %%
import torch
from torch.utils.data import DataLoader
from datasets import Dataset, DatasetDict

# %%
texts = ["red fox runs", "blue bird sings", "red bird flies", "green frog jumps", "blue fox sleeps", "green bird sings", "red frog runs", "blue frog flies"]
labels = [0, 1, 1, 0, 0, 1, 0, 1]
raw = Dataset.from_dict({"text": texts, "label": labels})
split = raw.train_test_split(test_size=0.25, seed=1)
split

# %%
vocabulary = sorted({w for text in split["train"]["text"] for w in text.split()})
index = {w: i + 1 for i, w in enumerate(vocabulary)}
len(vocabulary)

# %%
def encode(batch):
    return {"ids": [[index.get(w, 0) for w in text.split()] for text in batch["text"]]}

encoded = split.map(encode, batched=True, remove_columns=["text"])
encoded["train"].column_names

# %%
encoded = encoded.with_format("torch")
sizes = {name: part.num_rows for name, part in encoded.items()}
encoded["train"][0]["ids"]

# %%
loader = DataLoader(encoded["train"], batch_size=3, shuffle=False)
shapes = []
for batch in loader:
    shapes.append(tuple(batch["ids"].shape))
shapes

# %%
torch.manual_seed(0)
embedding = torch.nn.Embedding(len(vocabulary) + 1, 4)
model = torch.nn.Linear(4, 2)
total = 0.0
for batch in loader:
    logits = model(embedding(batch["ids"]).mean(dim=1))
    total += torch.nn.functional.cross_entropy(logits, batch["label"]).item()
round(total, 3)

# %%
kept = DatasetDict({"train": encoded["train"].select([0, 1]), "test": encoded["test"]})
kept["train"].unique("label")
