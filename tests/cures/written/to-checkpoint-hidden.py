# group: torch
# seen: 2026-11-29
# fails: RuntimeError: Error(s) in loading state_dict for MLP:
# order: 1, 2, 3, 4, 6, 5
# again: 1, 2, 3, 4, 6, 5, 7
# cause: Cell 6 (an experiment with HIDDEN = 64), run before cell 5, changed the size that cell 5 builds its model
#   with; the checkpoint was saved at HIDDEN = 16.
# holds: restored.fc1.out_features -> 16
# holds: bool(torch.equal(restored(X[:5]), model(X[:5]))) -> True
# holds: sorted(results) -> [4, 64]

# %%
import torch
from torch import nn
from sklearn.datasets import make_moons
HIDDEN = 16
EPOCHS = 80
CKPT = "moons.pt"
torch.manual_seed(0)

# %%
X, y = make_moons(300, noise=.2, random_state=0)
X, y = torch.tensor(X).float(), torch.tensor(y).float()

# %%
class MLP(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.fc1 = nn.Linear(2, hidden)
        self.fc2 = nn.Linear(hidden, 1)
    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x))).squeeze(1)

def train(model, epochs):
    opt = torch.optim.Adam(model.parameters(), lr=.02)
    for _ in range(epochs):
        loss = nn.functional.binary_cross_entropy_with_logits(model(X), y)
        opt.zero_grad(); loss.backward(); opt.step()
    return loss.item()

# %%
model = MLP(HIDDEN)
print(train(model, EPOCHS))
torch.save(model.state_dict(), CKPT)

# %%
# load the saved model for the plots
restored = MLP(HIDDEN)
restored.load_state_dict(torch.load(CKPT))
restored.eval()

# %%
# does width matter?
results = {}
HIDDEN = 64
for h in (4, HIDDEN):
    results[h] = train(MLP(h), EPOCHS)
results

# %% [repaired]
# does width matter?
results = {}
wide = 64
for h in (4, wide):
    results[h] = train(MLP(h), EPOCHS)
results

# %%
gx, gy = torch.meshgrid(torch.linspace(-2, 3, 50), torch.linspace(-1.5, 2, 50), indexing="ij")
grid = restored(torch.stack([gx.ravel(), gy.ravel()], 1)).detach()
print((grid > 0).float().mean().item())
