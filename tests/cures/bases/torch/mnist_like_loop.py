# library: torch
# needs: torch
# compare: log, correct, params_before

# %%
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

# Get cpu or gpu device for training.
device = "cuda" if torch.cuda.is_available() else "cpu"
print("Using {} device".format(device))

# %%
class FakeDigits(Dataset):
    def __init__(self, n, seed, transform=None):
        gen = torch.Generator().manual_seed(seed)
        self.targets = torch.randint(0, 4, (n,), generator=gen)
        noise = torch.rand(n, 1, 12, 12, generator=gen) * 0.3
        for i, t in enumerate(self.targets):
            noise[i, 0, t * 3:t * 3 + 3] += 1
        self.data = noise
        self.transform = transform

    def __len__(self):
        return len(self.targets)

    def __getitem__(self, index):
        img = self.data[index]
        if self.transform is not None:
            img = self.transform(img)
        return img, self.targets[index]

normalize = lambda t: (t - 0.5) / 0.5
training_data = FakeDigits(64, seed=1, transform=normalize)
test_data = FakeDigits(32, seed=2, transform=normalize)

# %%
batch_size = 16
train_dataloader = DataLoader(training_data, batch_size=batch_size)
test_dataloader = DataLoader(test_data, batch_size=batch_size)
for X, y in test_dataloader:
    print("Shape of X [N, C, H, W]: ", X.shape)
    print("Shape of y: ", y.shape, y.dtype)
    break

# %%
class NeuralNetwork(nn.Module):
    def __init__(self):
        super(NeuralNetwork, self).__init__()
        self.flatten = nn.Flatten()
        self.linear_relu_stack = nn.Sequential(
            nn.Linear(12*12, 64),
            nn.ReLU(),
            nn.Linear(64, 32),
            nn.ReLU(),
            nn.Linear(32, 4)
        )

    def forward(self, x):
        x = self.flatten(x)
        logits = self.linear_relu_stack(x)
        return logits

torch.manual_seed(2)
model = NeuralNetwork().to(device)
params_before = sum(p.numel() for p in model.parameters() if p.requires_grad)
print(model)

# %%
loss_fn = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-1)

def train(dataloader, model, loss_fn, optimizer):
    model.train()
    total = 0
    for batch, (X, y) in enumerate(dataloader):
        X, y = X.to(device), y.to(device)
        pred = model(X)
        loss = loss_fn(pred, y)

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(dataloader)

def test(dataloader, model, loss_fn):
    size = len(dataloader.dataset)
    model.eval()
    test_loss, correct = 0, 0
    with torch.no_grad():
        for X, y in dataloader:
            X, y = X.to(device), y.to(device)
            pred = model(X)
            test_loss += loss_fn(pred, y).item()
            correct += (pred.argmax(1) == y).type(torch.float).sum().item()
    test_loss /= len(dataloader)
    correct /= size
    print(f"Test Error: \n Accuracy: {(100*correct):>0.1f}%, Avg loss: {test_loss:>8f} \n")
    return correct

# %%
log = []
epochs = 3
for t in range(epochs):
    print(f"Epoch {t+1}\n-------------------------------")
    log.append(round(train(train_dataloader, model, loss_fn, optimizer), 4))
    correct = test(test_dataloader, model, loss_fn)
print("Done!")

