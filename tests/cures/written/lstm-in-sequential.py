# group: torch
# seen: 2026-11-30h
# fails: TypeError: linear(): argument 'input' (position 1) must be Tensor, not tuple
# cause: nn.LSTM returns a tuple (output, (h, c)), which the next layer in the Sequential can't take; the output of the last
#   time step must be picked out.
# holds: tuple(yhat.shape) -> (108, 1)
# holds: len(hist) -> 30
# holds: hist[-1] < hist[0] -> True

# %%
import torch
import torch.nn as nn
import numpy as np

# %%
# monthly sales -> next month, window = 12 (I come from keras)
np.random.seed(10)
series = np.sin(np.arange(120) / 6) + 0.1 * np.random.randn(120)
win = 12
Xs = torch.tensor(np.array([series[i:i + win] for i in range(len(series) - win)]), dtype=torch.float32).unsqueeze(-1)
ys = torch.tensor(series[win:], dtype=torch.float32).unsqueeze(-1)
Xs.shape, ys.shape

# %%
torch.manual_seed(10)
model = nn.Sequential(
    nn.LSTM(input_size=1, hidden_size=20, batch_first=True),
    nn.Linear(20, 1),
)
model

# %% [repaired]
class SalesLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(input_size=1, hidden_size=20, batch_first=True)
        self.fc = nn.Linear(20, 1)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.fc(out[:, -1])   # last step only

torch.manual_seed(10)
model = SalesLSTM()
model

# %%
opt = torch.optim.Adam(model.parameters(), lr=0.01)
hist = []
for ep in range(30):
    yhat = model(Xs)
    loss = nn.functional.mse_loss(yhat, ys)
    opt.zero_grad(); loss.backward(); opt.step()
    hist.append(loss.item())

# %%
print(f"loss {hist[0]:.3f} -> {hist[-1]:.3f}")
