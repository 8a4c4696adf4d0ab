# group: torch
# seen: 2026-11-29e
# fails: RuntimeError: Error(s) in loading state_dict for Sequential:
# cause: the checkpoint was saved from a DataParallel model, its keys have the prefix "module.", which must be taken away.
# holds: bool(torch.equal(fresh[0].weight, wrapped.module[0].weight)) -> True
# holds: list(fresh.state_dict()) -> ['0.weight', '0.bias', '2.weight', '2.bias']

# %%
import io
import torch
from torch import nn

# %%
def build():
    return nn.Sequential(nn.Linear(6, 12), nn.GELU(), nn.Linear(12, 2))

torch.manual_seed(42)
wrapped = nn.DataParallel(build())   # as on the server

# %%
buf = io.BytesIO()
torch.save(wrapped.state_dict(), buf)
print(buf.tell(), "bytes")

# %%
buf.seek(0)
state = torch.load(buf, map_location="cpu")

# %% [repaired]
buf.seek(0)
state = torch.load(buf, map_location="cpu")
state = {k.removeprefix("module."): v for k, v in state.items()}

# %%
# laptop: plain model
fresh = build()
fresh.load_state_dict(state)
fresh.eval()

# %%
with torch.no_grad():
    print(fresh(torch.ones(1, 6)).softmax(-1))
