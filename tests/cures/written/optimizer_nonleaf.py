# group: torch
# seen: 2026-11-29e
# fails: ValueError: can't optimize a non-leaf Tensor
# cause: multiplying after requires_grad=True makes U and V results of an operation, not leaves; scale first, then requires_grad_().
# holds: U.is_leaf and V.is_leaf -> True
# holds: tuple(U.shape), tuple(V.shape) -> ((20, 2), (2, 15))
# holds: err < 0.1 -> True

# %%
import torch
torch.manual_seed(2)

# %%
# ratings ~ users x movies, rank 2
R = torch.randn(20, 2) @ torch.randn(2, 15)
mask = torch.rand(20, 15) < 0.8
R.shape, mask.float().mean()

# %%
U = torch.randn(20, 2, requires_grad=True) * 0.1
V = torch.randn(2, 15, requires_grad=True) * 0.1

# %% [repaired]
U = (torch.randn(20, 2) * 0.1).requires_grad_()
V = (torch.randn(2, 15) * 0.1).requires_grad_()

# %%
optim = torch.optim.Adam([U, V], lr=0.05)
for it in range(600):
    optim.zero_grad()
    err = (((U @ V) - R)[mask] ** 2).mean()
    err.backward()
    optim.step()

# %%
err = err.item()
print("mse on known ratings:", err)
