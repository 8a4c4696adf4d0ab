# library: torch
# needs: numpy, torch
# compare: distances, pair_shapes, acc

# %%
import itertools
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

rng = np.random.default_rng(12)
prototypes = rng.normal(size=(3, 10))
signatures = np.stack([prototypes[i % 3] + 0.2 * rng.normal(size=10) for i in range(12)]).astype(np.float32)
owner = np.arange(12) % 3
signatures.shape

# %%
pairs = [(i, j, int(owner[i] == owner[j])) for i, j in itertools.combinations(range(12), 2)]
left = torch.from_numpy(signatures[[p[0] for p in pairs]])
right = torch.from_numpy(signatures[[p[1] for p in pairs]])
same = torch.tensor([p[2] for p in pairs], dtype=torch.float32)
pair_shapes = [tuple(left.shape), tuple(right.shape), tuple(same.shape)]
pair_shapes

# %%
class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 4))

    def forward_one(self, x):
        return F.normalize(self.net(x), dim=-1)

    def forward(self, a, b):
        return self.forward_one(a), self.forward_one(b)

def contrastive_loss(a, b, same, margin=1.0):
    d = F.pairwise_distance(a, b)
    return (same * d.pow(2) + (1 - same) * F.relu(margin - d).pow(2)).mean()

# %%
torch.manual_seed(8)
model = Siamese()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
for epoch in range(10):
    a, b = model(left, right)
    loss = contrastive_loss(a, b, same)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("loss: {:.4f}".format(loss.item()))

# %%
model.eval()
with torch.no_grad():
    emb = model.forward_one(torch.from_numpy(signatures))
    dist = torch.cdist(emb, emb)
distances = dist[0].numpy()
predicted_same = dist[left.new_tensor([p[0] for p in pairs]).long(), left.new_tensor([p[1] for p in pairs]).long()] < 0.5
acc = (predicted_same.float() == same).float().mean().item()
acc

