# group: torch
# seen: 2026-11-29e
# fails: RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.
# cause: the update of the parameters by hand must be in torch.no_grad(), else it's an in-place change of a leaf that needs gradients.
# holds: round(w.item(), 1) -> 6.0
# holds: round(b.item(), 1) -> 20.0
# holds: w.requires_grad -> True

# %%
import torch

# %%
torch.manual_seed(0)
hours = torch.rand(50) * 8
points = 6.0 * hours + 20.0 + torch.randn(50) * 0.05
points[:5]

# %%
w = torch.zeros(1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr = 0.03

# %%
for i in range(2000):
    loss = ((w * hours + b - points) ** 2).mean()
    loss.backward()
    w -= lr * w.grad
    b -= lr * b.grad
    w.grad.zero_(); b.grad.zero_()

# %% [repaired]
for i in range(2000):
    loss = ((w * hours + b - points) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
        b -= lr * b.grad
    w.grad.zero_(); b.grad.zero_()

# %%
print(f"points = {w.item():.2f} * hours + {b.item():.2f}")
