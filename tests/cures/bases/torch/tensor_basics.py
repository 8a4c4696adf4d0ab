# library: torch
# needs: numpy, torch
# compare: total, product, stacked, as_numpy

# %%
import torch
import numpy as np

print("GPU:", torch.cuda.is_available())

# %%
a = torch.arange(12, dtype=torch.float32).reshape(3, 4)
b = torch.ones(4, 2)
a

# %%
product = a @ b
product.shape

# %%
mask = a > 5
total = a[mask].sum()
print(total, mask.sum().item())

# %%
c = torch.randn(3, 4, generator=torch.Generator().manual_seed(3))
stacked = torch.stack([a, c])
flat = torch.cat([a, c], dim=1)
stacked.shape, flat.shape

# %%
# numpy and back
n = np.linspace(0, 1, 6).reshape(2, 3)
t = torch.from_numpy(n).float()
t.add_(1)
as_numpy = (t.permute(1, 0) * 2).numpy()
as_numpy

# %%
x = torch.tensor([2.0, 3.0], requires_grad=True)
z = (x ** 3).sum()
z.backward()
x.grad

