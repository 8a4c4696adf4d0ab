# group: torch
# seen: 2026-11-30f
# fails: ValueError: Sum of input lengths does not equal the length of the input dataset!
# cause: all three lengths are rounded down separately, so they don't add up to the size of the dataset (502 of 503); the last must be what remains.
# holds: len(train_ds) + len(val_ds) + len(test_ds) -> 503
# holds: len(val_ds) -> 75
# holds: len(set(train_ds.indices) | set(val_ds.indices) | set(test_ds.indices)) -> 503

# %%
import torch
from torch.utils.data import TensorDataset, DataLoader, random_split

# %%
g = torch.Generator().manual_seed(9)
soil = torch.rand(503, 7, generator=g)
tons = soil @ torch.tensor([3., 1., 0., -2., .5, 0., 1.]) + .1 * torch.randn(503, generator=g)
full = TensorDataset(soil, tons)
len(full)

# %%
n = len(full)
n_train = int(0.7 * n)
n_val = int(0.15 * n)
n_test = int(0.15 * n)
n_train, n_val, n_test

# %% [repaired]
n = len(full)
n_train = int(0.7 * n)
n_val = int(0.15 * n)
n_test = n - n_train - n_val
n_train, n_val, n_test

# %%
tons.mean(), tons.std()

# %%
train_ds, val_ds, test_ds = random_split(full, [n_train, n_val, n_test], generator=g)

# %%
loaders = {k: DataLoader(d, batch_size=64, shuffle=(k == "train"))
           for k, d in [("train", train_ds), ("val", val_ds), ("test", test_ds)]}
for k, dl in loaders.items():
    print(k, len(dl.dataset), len(dl), "batches")
