# library: torch
# needs: numpy, torch
# compare: results, n_params, args_dict

# %%
from argparse import Namespace
import json
import os
import random
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader

args = Namespace(
    data_file="surnames.csv",
    save_dir="runs/surnames",
    seed=1337,
    lr=0.01,
    batch_size=8,
    num_epochs=2,
    embedding_size=12,
    hidden_dim=16,
    cuda=False,
)

def set_seed_everywhere(seed, cuda):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    if cuda:
        torch.cuda.manual_seed_all(seed)

set_seed_everywhere(args.seed, args.cuda)
os.makedirs(args.save_dir, exist_ok=True)
with open(args.data_file, "w") as f:
    f.write("surname,nationality\n")
    for s, n in [("Rossi", "it"), ("Bianchi", "it"), ("Ricci", "it"), ("Greco", "it"), ("Novak", "cz"), ("Dvorak", "cz"), ("Horak", "cz"),
                 ("Marek", "cz"), ("Tanaka", "jp"), ("Nakamura", "jp"), ("Yamada", "jp"), ("Ito", "jp")] * 2:
        f.write(f"{s},{n}\n")

# %%
class Vocabulary(object):
    def __init__(self, token_to_idx=None, unk="<UNK>"):
        self._token_to_idx = token_to_idx or {}
        self._idx_to_token = {i: t for t, i in self._token_to_idx.items()}
        self.unk_index = self.add_token(unk) if unk else -1

    def add_token(self, token):
        if token not in self._token_to_idx:
            index = len(self._token_to_idx)
            self._token_to_idx[token] = index
            self._idx_to_token[index] = token
        return self._token_to_idx[token]

    def lookup_token(self, token):
        return self._token_to_idx.get(token, self.unk_index)

    def lookup_index(self, index):
        return self._idx_to_token[index]

    def __len__(self):
        return len(self._token_to_idx)


class SurnameDataset(Dataset):
    def __init__(self, filename):
        with open(filename) as f:
            header, *rows = f.read().split()
        self.rows = [r.split(",") for r in rows]
        self.chars, self.labels = Vocabulary(), Vocabulary(unk=None)
        for surname, nationality in self.rows:
            for ch in surname:
                self.chars.add_token(ch)
            self.labels.add_token(nationality)
        self.max_len = max(len(s) for s, _ in self.rows)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        surname, nationality = self.rows[index]
        x = np.zeros(self.max_len, dtype=np.int64)
        x[:len(surname)] = [self.chars.lookup_token(c) for c in surname]
        return {"x": x, "y": self.labels.lookup_token(nationality), "length": len(surname)}

dataset = SurnameDataset(args.data_file)
len(dataset), len(dataset.chars), dataset[0]["x"]

# %%
class SurnameClassifier(nn.Module):
    def __init__(self, vocab, classes, emb, hidden):
        super().__init__()
        self.emb = nn.Embedding(num_embeddings=vocab, embedding_dim=emb, padding_idx=0)
        self.rnn = nn.RNN(emb, hidden, batch_first=True)
        self.fc = nn.Linear(in_features=hidden, out_features=classes)

    def forward(self, x_in, x_lengths):
        y_out, _ = self.rnn(self.emb(x_in))
        last = y_out[torch.arange(len(x_in)), x_lengths - 1]
        return self.fc(last)

args.device = torch.device("cuda" if args.cuda else "cpu")
classifier = SurnameClassifier(len(dataset.chars), len(dataset.labels), args.embedding_size, args.hidden_dim).to(args.device)
n_params = sum(p.numel() for p in classifier.parameters())
classifier

# %%
loss_func = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(classifier.parameters(), lr=args.lr)
train_state = {"train_loss": [], "train_acc": [], "early_stopping_best": 1e8}
for epoch_index in range(args.num_epochs):
    running_loss, running_acc = 0.0, 0.0
    classifier.train()
    for batch_index, batch in enumerate(DataLoader(dataset, batch_size=args.batch_size, shuffle=True)):
        optimizer.zero_grad()
        y_pred = classifier(batch["x"].to(args.device), batch["length"])
        loss = loss_func(y_pred, batch["y"].to(args.device))
        loss.backward()
        optimizer.step()
        running_loss += (loss.item() - running_loss) / (batch_index + 1)
        acc = (y_pred.argmax(dim=1) == batch["y"]).float().mean().item() * 100
        running_acc += (acc - running_acc) / (batch_index + 1)
    train_state["train_loss"].append(running_loss)
    train_state["train_acc"].append(running_acc)
    if running_loss < train_state["early_stopping_best"]:
        train_state["early_stopping_best"] = running_loss
        torch.save(classifier.state_dict(), os.path.join(args.save_dir, "model.pth"))
results = [round(l, 4) for l in train_state["train_loss"]]
results

# %%
def predict_nationality(surname):
    ids = torch.tensor([[dataset.chars.lookup_token(c) for c in surname]])
    probs = torch.softmax(classifier(ids, torch.tensor([len(surname)])), dim=1)
    value, index = probs.max(dim=1)
    return {"nationality": dataset.labels.lookup_index(index.item()), "probability": value.item()}

print(predict_nationality("Novotny")["nationality"])
args_dict = {k: v for k, v in vars(args).items() if k != "device"}
with open(os.path.join(args.save_dir, "args.json"), "w") as fp:
    json.dump(args_dict, fp)

