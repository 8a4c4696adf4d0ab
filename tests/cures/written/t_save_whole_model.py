# group: torch
# seen: 2026-11-29b
# fails: UnpicklingError: Weights only load failed. This file can still be loaded, to do so you have two options, [1mdo those steps only if you trust the source of the checkpoint[0m.
# cause: the whole module was pickled, and torch.load takes only weights by default since 2.6; save and load the state_dict.
# holds: bool(torch.equal(before, after)) -> True
# holds: type(again).__name__ -> 'Tiny'

# %%
import os, tempfile
import torch
from torch import nn

ckpt = os.path.join(tempfile.mkdtemp(), "tiny.pt")

# %%
class Tiny(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.b = nn.Linear(4, 2)
    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))

# %%
torch.manual_seed(9)
tiny = Tiny().eval()
x = torch.randn(5, 3)
with torch.no_grad():
    before = tiny(x)
before

# %%
torch.save(tiny, ckpt)
print(os.path.getsize(ckpt) > 0)
again = torch.load(ckpt)
again.eval()

# %% [repaired]
torch.save(tiny.state_dict(), ckpt)
print(os.path.getsize(ckpt) > 0)
again = Tiny()
again.load_state_dict(torch.load(ckpt))
again.eval()

# %%
with torch.no_grad():
    after = again(x)
print("same output:", torch.allclose(before, after))
