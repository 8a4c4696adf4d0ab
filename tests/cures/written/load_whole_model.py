# group: torch
# seen: 2026-11-30g
# fails: UnpicklingError: Weights only load failed. This file can still be loaded, to do so you have two options, [1mdo those steps only if you trust the source of the checkpoint[0m.
# cause: the file holds the whole pickled model, and torch.load reads only weights by default since 2.6; the file is one's own, so weights_only=False.
# holds: type(loaded).__name__ -> 'Sequential'
# holds: torch.equal(loaded(x0), before) -> True
# holds: loaded.training -> False

# %%
import torch
from torch import nn

# %%
torch.manual_seed(10)
regressor = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
x0 = torch.tensor([[0.1, 0.2, 0.3]])
before = regressor(x0).detach()
before

# %%
torch.save(regressor, "regressor.pt")

# %%
# ... next day. It's my own file from the cell above
loaded = torch.load("regressor.pt")

# %% [repaired]
# ... next day. It's my own file from the cell above
loaded = torch.load("regressor.pt", weights_only=False)

# %%
loaded.eval()
loaded(x0)
