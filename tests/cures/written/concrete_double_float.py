# group: torch
# seen: 2026-11-29e
# fails: RuntimeError: mat1 and mat2 must have the same dtype, but got Double and Float
# cause: the values from pandas are float64 (double), the weights of the model float32.
# holds: Xt.dtype == lin.weight.dtype == pred.dtype -> True
# holds: round(loss.item()) -> 181
# holds: tuple(pred.shape) -> (90, 1)

# %%
import pandas as pd, numpy as np
import torch

# %%
np.random.seed(1)
mix = pd.DataFrame({"cement": np.random.uniform(100, 500, 90), "water": np.random.uniform(120, 240, 90),
                    "days": np.random.choice([7, 28, 90], 90)})
mix["strength"] = 0.08 * mix.cement - 0.1 * mix.water + 0.2 * mix.days + 20
mix.head()

# %%
Xn = (mix.drop(columns="strength") - mix.drop(columns="strength").mean()) / mix.drop(columns="strength").std()
Xt = torch.tensor(Xn.values)
yt = torch.tensor(mix["strength"].values).view(-1, 1)
Xt.shape, yt.shape

# %% [repaired]
Xn = (mix.drop(columns="strength") - mix.drop(columns="strength").mean()) / mix.drop(columns="strength").std()
Xt = torch.tensor(Xn.values, dtype=torch.float32)
yt = torch.tensor(mix["strength"].values, dtype=torch.float32).view(-1, 1)
Xt.shape, yt.shape

# %%
torch.manual_seed(0)
lin = torch.nn.Linear(3, 1)
pred = lin(Xt)

# %%
opt = torch.optim.Adam(lin.parameters(), lr=0.5)
for _ in range(50):
    opt.zero_grad()
    loss = ((lin(Xt) - yt) ** 2).mean()
    loss.backward()
    opt.step()
print(loss.item())
