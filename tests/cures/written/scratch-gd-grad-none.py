# group: torch
# seen: 2026-11-30h
# fails: TypeError: unsupported operand type(s) for *: 'float' and 'NoneType'
# cause: w = w - lr * w.grad makes a new, non leaf tensor whose grad stays None; the update must be in place under
#   torch.no_grad().
# holds: w.is_leaf and b.is_leaf -> True
# holds: abs(w.item() - 2.0) < 0.1, abs(b.item() + 1.0) < 0.1 -> (True, True)

# %% [markdown]
# Linear regression from scratch (no nn, no optim), y = 2x - 1

# %%
import torch
torch.manual_seed(5)

# %%
x = torch.linspace(-2, 2, 50)
y = 2 * x - 1 + 0.05 * torch.randn(50)

# %%
w = torch.zeros(1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr = 0.1

# %%
for i in range(100):
    loss = ((w * x + b - y) ** 2).mean()
    loss.backward()
    w = w - lr * w.grad
    b = b - lr * b.grad
    w.grad = None
    b.grad = None

# %% [repaired]
for i in range(100):
    loss = ((w * x + b - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
        b -= lr * b.grad
    w.grad = None
    b.grad = None

# %%
print("w = %.3f, b = %.3f, loss = %.4f" % (w.item(), b.item(), loss.item()))
