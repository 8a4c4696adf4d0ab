# group: torch
# seen: 2026-11-29b
# fails: RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.
# cause: the update of the weights by hand must not be recorded; it belongs into torch.no_grad().
# holds: round(w.item(), 2) -> 1.5
# holds: round(b.item(), 2) -> -2.0
# holds: w.requires_grad and b.requires_grad -> True

# %% [markdown]
# ### Gradient descent without an optimizer

# %%
import torch
x = torch.linspace(-2, 2, 40)
y = 1.5 * x - 2.0

# %%
w = torch.zeros(1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr = 0.1

def mse(p, t):
    return ((p - t) ** 2).mean()

mse(w * x + b, y)

# %%
for i in range(150):
    loss = mse(w * x + b, y)
    loss.backward()
    w -= lr * w.grad
    b -= lr * b.grad
    w.grad.zero_()
    b.grad.zero_()

# %% [repaired]
for i in range(150):
    loss = mse(w * x + b, y)
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
        b -= lr * b.grad
    w.grad.zero_()
    b.grad.zero_()

# %%
print("w = %.3f, b = %.3f" % (w.item(), b.item()))
