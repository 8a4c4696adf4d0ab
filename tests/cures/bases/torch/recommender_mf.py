# library: torch
# needs: pandas, torch
# compare: curve, recs, mae

# %%
import pandas as pd
import torch
from torch import nn
from torch.utils.data import Dataset, DataLoader

torch.manual_seed(77)

ratings = pd.DataFrame(
    [("u1", "alien", 5), ("u1", "bambi", 1), ("u2", "alien", 4), ("u2", "dune", 5), ("u3", "bambi", 5),
     ("u3", "coco", 4), ("u4", "coco", 5), ("u4", "bambi", 4), ("u4", "alien", 1), ("u5", "dune", 4), ("u5", "coco", 2)],
    columns=["user", "item", "rating"],
)
ratings.head()

# %%
ratings["user_id"] = ratings["user"].astype("category").cat.codes.astype("int64")
ratings["item_id"], items = pd.factorize(ratings["item"])
n_users = ratings["user_id"].nunique()
n_items = len(items)
n_users, n_items

# %%
class RatingDataset(Dataset):
    def __init__(self, df):
        self.users = torch.tensor(df["user_id"].values)
        self.items = torch.tensor(df["item_id"].values)
        self.ratings = torch.tensor(df["rating"].values, dtype=torch.float32)

    def __len__(self):
        return self.ratings.shape[0]

    def __getitem__(self, i):
        return {"user": self.users[i], "item": self.items[i], "rating": self.ratings[i]}

train_loader = DataLoader(RatingDataset(ratings), batch_size=4)
batch = next(iter(train_loader))
batch["rating"]

# %%
class MF(nn.Module):
    def __init__(self, n_users, n_items, dim=6):
        super().__init__()
        self.user_emb = nn.Embedding(n_users, dim)
        self.item_emb = nn.Embedding(n_items, dim)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        self.mu = nn.Parameter(torch.tensor(3.0))

    def forward(self, user, item):
        dot = (self.user_emb(user) * self.item_emb(item)).sum(dim=1)
        return dot + self.user_bias(user).squeeze(1) + self.item_bias(item).squeeze(1) + self.mu

mf = MF(n_users, n_items)

# %%
opt = torch.optim.Adam(mf.parameters(), lr=0.05, weight_decay=1e-3)
curve = []
for epoch in range(15):
    total = 0.0
    for batch in train_loader:
        pred = mf(batch["user"], batch["item"])
        loss = nn.functional.mse_loss(pred, batch["rating"])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    curve.append(total / len(train_loader))
print([round(c, 2) for c in curve[::5]])

# %%
@torch.inference_mode()
def recommend(user, k=2):
    uid = ratings.loc[ratings["user"] == user, "user_id"].iloc[0]
    scores = mf(torch.full((n_items,), int(uid)), torch.arange(n_items))
    seen = ratings.loc[ratings["user"] == user, "item_id"].tolist()
    scores[seen] = -1e9
    return [items[i] for i in scores.topk(k).indices.tolist()]

recs = {u: recommend(u) for u in ["u1", "u5"]}
with torch.no_grad():
    all_pred = mf(torch.tensor(ratings["user_id"].values), torch.tensor(ratings["item_id"].values))
mae = (all_pred - torch.tensor(ratings["rating"].values)).abs().mean().item()
recs

