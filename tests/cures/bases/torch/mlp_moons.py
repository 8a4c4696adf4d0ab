# library: torch
# needs: numpy, sklearn, torch
# compare: train_acc, test_acc, history

# %%
import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from sklearn.datasets import make_moons
from sklearn.model_selection import train_test_split

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(42)
np.random.seed(42)

# %%
X, y = make_moons(n_samples=200, noise=0.2, random_state=42)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=42)

X_train = torch.tensor(X_train, dtype=torch.float32).to(device)
y_train = torch.tensor(y_train, dtype=torch.float32).unsqueeze(1).to(device)
X_test = torch.tensor(X_test, dtype=torch.float32).to(device)
y_test = torch.tensor(y_test, dtype=torch.float32).unsqueeze(1).to(device)
X_train.shape, y_train.shape

# %%
class MLP(nn.Module):
    def __init__(self, in_features=2, hidden=16):
        super().__init__()
        self.fc1 = nn.Linear(in_features, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        x = torch.relu(self.fc1(x))
        x = torch.relu(self.fc2(x))
        return self.out(x)

model = MLP().to(device)
print(model)

# %%
criterion = nn.BCEWithLogitsLoss()
optimizer = optim.Adam(model.parameters(), lr=0.02)

# %%
history = []
for epoch in range(40):
    model.train()
    optimizer.zero_grad()
    logits = model(X_train)
    loss = criterion(logits, y_train)
    loss.backward()
    optimizer.step()
    if epoch % 10 == 0:
        history.append(round(loss.item(), 4))
        print(epoch, history[-1])

# %%
def accuracy(inputs, targets):
    model.eval()
    with torch.no_grad():
        predicted = (torch.sigmoid(model(inputs)) > 0.5).float()
    return (predicted == targets).float().mean().item()

train_acc = accuracy(X_train, y_train)
test_acc = accuracy(X_test, y_test)
print(f"train {train_acc:.2%}  test {test_acc:.2%}")

