# library: torch
# needs: numpy, pandas, torch
# compare: rmse, means, first_preds

# %%
import pandas as pd
import numpy as np
import torch
from torch.utils.data import TensorDataset, DataLoader

# %%
np.random.seed(8)
n = 160
cars = pd.DataFrame({
    "horsepower": np.random.randint(60, 230, n),
    "weight": np.random.randint(1600, 5000, n),
    "cylinders": np.random.choice([4, 6, 8], n),
    "origin": np.random.choice(["usa", "europe", "japan"], n),
})
cars["mpg"] = 45 - cars["weight"] / 160 - cars["horsepower"] / 60 + np.random.randn(n)
cars.to_csv("auto.csv", index=False)

# %%
df = pd.read_csv("auto.csv")
df = pd.concat([df.drop(columns="origin"), pd.get_dummies(df["origin"], dtype=float)], axis=1)
df.head()

# %%
train = df.sample(frac=0.8, random_state=0)
test = df.drop(train.index)
means, stds = train.mean(), train.std()
train_n = (train - means) / stds
test_n = (test - means) / stds
train_n.describe().loc[["mean", "std"]].round(2)

# %%
features = [c for c in df.columns if c != "mpg"]
Xt = torch.tensor(train_n[features].values, dtype=torch.float32)
yt = torch.tensor(train_n["mpg"].values, dtype=torch.float32).view(-1, 1)
dl = DataLoader(TensorDataset(Xt, yt), batch_size=32, shuffle=True, generator=torch.Generator().manual_seed(0))
len(dl)

# %%
torch.manual_seed(0)
model = torch.nn.Sequential(
    torch.nn.Linear(len(features), 32),
    torch.nn.ReLU(),
    torch.nn.Dropout(0.1),
    torch.nn.Linear(32, 1),
)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
loss_fn = torch.nn.MSELoss()
for epoch in range(6):
    for xb, yb in dl:
        loss = loss_fn(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

# %%
model.eval()
with torch.no_grad():
    out = model(torch.tensor(test_n[features].values, dtype=torch.float32)).squeeze(1)
pred = out.numpy() * stds["mpg"] + means["mpg"]
rmse = float(np.sqrt(((pred - test["mpg"].values) ** 2).mean()))
first_preds = pred[:5].round(2)
print("RMSE:", round(rmse, 2), "mpg")

