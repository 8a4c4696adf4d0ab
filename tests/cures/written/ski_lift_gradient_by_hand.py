# group: torch
# seen: 2026-11-30f
# fails: RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.
# cause: w and b are leaves which require grad and are changed in place by the update; that must happen under torch.no_grad().
# holds: w.requires_grad -> True
# holds: round(w.item(), 1) -> 6.1
# holds: round(b.item(), 1) -> 1.9

# %% [markdown]
# Gradient descent by hand: waiting time at the ski lift against the number of visitors.

# %%
import torch
import matplotlib.pyplot as plt

# %%
torch.manual_seed(1)
visitors = torch.rand(80) * 4           # thousands
wait = 6.0 * visitors + 2.0 + torch.randn(80) * 0.3
plt.scatter(visitors, wait); plt.show()

# %%
w = torch.zeros(1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr = 0.05

# %%
for step in range(500):
    loss = ((w * visitors + b - wait) ** 2).mean()
    loss.backward()
    w -= lr * w.grad
    b -= lr * b.grad
    w.grad.zero_()
    b.grad.zero_()

# %% [repaired]
for step in range(500):
    loss = ((w * visitors + b - wait) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
        b -= lr * b.grad
    w.grad.zero_()
    b.grad.zero_()

# %%
print(f"wait = {w.item():.2f} * visitors + {b.item():.2f}")
