# library: torch
# needs: matplotlib, torch
# compare: w, b, losses

# %%
import torch
import matplotlib.pyplot as plt

torch.manual_seed(0)

# %%
x = torch.linspace(-1, 1, 40)
y = 2.5 * x - 0.7 + 0.1 * torch.randn(40)
plt.scatter(x.numpy(), y.numpy(), s=8)
plt.show()

# %%
w = torch.zeros(1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr = 0.3
losses = []

# %%
for epoch in range(30):
    pred = w * x + b
    loss = ((pred - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
        b -= lr * b.grad
        w.grad.zero_()
        b.grad.zero_()
    losses.append(loss.item())
print(f"w={w.item():.3f} b={b.item():.3f} loss={losses[-1]:.4f}")

# %%
with torch.no_grad():
    residuals = y - (w * x + b)
residuals.std()

