# library: torch
# needs: pandas, torch
# compare: vocab_size, epoch_acc, scores

# %%
import re
from collections import Counter
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader

reviews = pd.DataFrame({
    "text": [
        "Loved this film, wonderful acting!", "Terrible plot and bad acting.", "A wonderful, moving story.",
        "I hated it. Boring and bad.", "Great fun, great cast.", "Awful. I want my money back.",
        "Moving and beautiful film", "Boring, slow, terrible film", "I loved the cast", "Bad, bad, bad!",
        "Beautiful pictures and great music", "The music was awful",
    ],
    "sentiment": ["pos", "neg", "pos", "neg", "pos", "neg", "pos", "neg", "pos", "neg", "pos", "neg"],
})
reviews.to_csv("reviews.csv", index=False)

# %%
df = pd.read_csv("reviews.csv")
df["sentiment"].value_counts()

# %%
def tokenize(s):
    return re.findall(r"[a-z']+", s.lower())

counter = Counter()
for t in df["text"]:
    counter.update(tokenize(t))
itos = ["<unk>"] + [w for w, n in counter.most_common() if n >= 1]
stoi = {w: i for i, w in enumerate(itos)}
vocab_size = len(itos)
vocab_size

# %%
label_map = {"neg": 0, "pos": 1}

def collate_batch(batch):
    labels, tokens, offsets = [], [], [0]
    for text, label in batch:
        ids = torch.tensor([stoi.get(w, 0) for w in tokenize(text)], dtype=torch.int64)
        tokens.append(ids)
        labels.append(label_map[label])
        offsets.append(ids.size(0))
    offsets = torch.tensor(offsets[:-1]).cumsum(dim=0)
    return torch.tensor(labels), torch.cat(tokens), offsets

loader = DataLoader(list(zip(df["text"], df["sentiment"])), batch_size=4, collate_fn=collate_batch)

# %%
class TextClassifier(nn.Module):
    def __init__(self, vocab_size, embed_dim, num_class):
        super().__init__()
        self.embedding = nn.EmbeddingBag(vocab_size, embed_dim)
        self.fc = nn.Linear(embed_dim, num_class)

    def forward(self, text, offsets):
        return self.fc(self.embedding(text, offsets))

torch.manual_seed(0)
clf = TextClassifier(vocab_size, embed_dim=16, num_class=2)

# %%
optimizer = torch.optim.SGD(clf.parameters(), lr=0.5)
criterion = nn.CrossEntropyLoss()
epoch_acc = []
for epoch in range(8):
    correct, count = 0, 0
    for labels, tokens, offsets in loader:
        optimizer.zero_grad()
        output = clf(tokens, offsets)
        loss = criterion(output, labels)
        loss.backward()
        optimizer.step()
        correct += (output.argmax(1) == labels).sum().item()
        count += labels.size(0)
    epoch_acc.append(correct / count)
epoch_acc

# %%
def predict(sentence):
    with torch.no_grad():
        ids = torch.tensor([stoi.get(w, 0) for w in tokenize(sentence)])
        return torch.softmax(clf(ids, torch.tensor([0])), dim=1)[0, 1].item()

scores = {s: round(predict(s), 3) for s in ["great story", "bad and boring"]}
scores

