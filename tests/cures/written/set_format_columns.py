# group: torch
# seen: 2026-11-29d
# fails: KeyError: 'rating'
# cause: set_format("torch", columns=["feats"]) hides the rating column, so the batches carry no rating; name both columns.
# holds: sorted(batch) -> ['feats', 'rating']
# holds: train.format["columns"] -> ['feats', 'rating']
# holds: tuple(batch["feats"].shape), tuple(batch["rating"].shape) -> ((8, 5), (8,))

# %%
from datasets import Dataset
import torch, random
from torch.utils.data import DataLoader

# %%
random.seed(0)
movies = Dataset.from_dict({
    "title": [f"movie {i}" for i in range(40)],
    "feats": [[random.random() for _ in range(5)] for _ in range(40)],
    "rating": [random.uniform(1, 10) for _ in range(40)],
})
parts = movies.train_test_split(test_size=0.2, seed=3)
parts

# %%
train = parts["train"]
train.set_format("torch", columns=["feats"])
train[0]

# %% [repaired]
train = parts["train"]
train.set_format("torch", columns=["feats", "rating"])
train[0]

# %%
loader = DataLoader(train, batch_size=8, shuffle=False)
lin = torch.nn.Linear(5, 1)
sgd = torch.optim.SGD(lin.parameters(), lr=0.01)

# %%
for batch in loader:
    out = lin(batch["feats"]).squeeze(1)
    loss = ((out - batch["rating"]) ** 2).mean()
    sgd.zero_grad()
    loss.backward()
    sgd.step()
loss.item()
