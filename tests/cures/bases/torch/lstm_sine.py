# library: torch
# needs: matplotlib, numpy, torch
# compare: losses, forecast, window_shape

# %%
import numpy as np
import torch
import torch.nn as nn
import matplotlib.pyplot as plt

torch.manual_seed(99)
np.random.seed(99)

# %%
t = np.arange(0, 120)
series = np.sin(0.2 * t) + 0.05 * np.random.randn(len(t))
series = series.astype(np.float32)
plt.plot(t, series)
plt.show()

# %%
def make_windows(data, lookback):
    X, y = [], []
    for i in range(len(data) - lookback):
        X.append(data[i:i + lookback])
        y.append(data[i + lookback])
    return torch.tensor(np.array(X)).unsqueeze(-1), torch.tensor(np.array(y))

lookback = 16
train_series, test_series = series[:90], series[90:]
X_train, y_train = make_windows(train_series, lookback)
X_test, y_test = make_windows(test_series, lookback)
window_shape = tuple(X_train.shape)
window_shape

# %%
class Forecaster(nn.Module):
    def __init__(self, hidden_size=20, num_layers=1):
        super().__init__()
        self.lstm = nn.LSTM(input_size=1, hidden_size=hidden_size, num_layers=num_layers, batch_first=True)
        self.linear = nn.Linear(hidden_size, 1)

    def forward(self, x):
        out, (h_n, c_n) = self.lstm(x)
        return self.linear(out[:, -1, :]).squeeze(-1)

model = Forecaster()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
loss_function = nn.MSELoss()

# %%
losses = []
for epoch in range(12):
    model.train()
    y_pred = model(X_train)
    loss = loss_function(y_pred, y_train)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(round(loss.item(), 5))
losses[::4]

# %%
model.eval()
window = torch.tensor(train_series[-lookback:])
forecast = []
with torch.no_grad():
    for _ in range(5):
        nxt = model(window.view(1, lookback, 1))
        forecast.append(round(nxt.item(), 4))
        window = torch.cat([window[1:], nxt])
    test_loss = loss_function(model(X_test), y_test).item()
print(forecast, f"test {test_loss:.4f}")

