# group: torch
# seen: 2026-11-29d
# fails: RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
# cause: freeze() is given the whole model instead of its backbone, so the head has no gradient either and backward() has
#   nothing to do.
# holds: [n for n, p in model.named_parameters() if p.requires_grad] -> ['head.weight', 'head.bias']
# holds: all(not p.requires_grad for p in model.backbone.parameters()) -> True

# %%
import torch
from torch import nn
torch.manual_seed(8)

class Detector(nn.Module):
    def __init__(self, n_out=3):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU())
        self.head = nn.Linear(24, n_out)

    def forward(self, x):
        return self.head(self.backbone(x))

# %%
def freeze(module: nn.Module):
    for p in module.parameters():
        p.requires_grad_(False)
    return module

# %%
# fine-tune the head only, backbone stays as it is
model = Detector()
freeze(model)
opt = torch.optim.Adam(model.parameters(), lr=1e-2)

# %% [repaired]
# fine-tune the head only, backbone stays as it is
model = Detector()
freeze(model.backbone)
opt = torch.optim.Adam(model.parameters(), lr=1e-2)

# %%
x = torch.randn(50, 12)
y = torch.randint(0, 3, (50,))
x.mean()

# %%
for epoch in range(5):
    logits = model(x)
    loss = nn.functional.cross_entropy(logits, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(epoch, round(loss.item(), 3))
