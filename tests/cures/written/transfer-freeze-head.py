# group: torch
# seen: 2026-11-30h
# fails: RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
# cause: the freezing loop runs after the new head was put in, so the head is frozen too and nothing can be trained; freeze
#   the backbone first, then replace fc.
# holds: sorted(n for n, p in model.named_parameters() if p.requires_grad) -> ['fc.bias', 'fc.weight']
# holds: model.fc.out_features -> 2
# holds: model.fc.weight.grad is not None, model.conv1.weight.grad is None -> (True, True)

# %%
import torch
from torch import nn
from torchvision import models

# %%
torch.manual_seed(0)
x = torch.rand(4, 3, 64, 64)
y = torch.tensor([0, 1, 1, 0])   # ants / bees

# %%
model = models.resnet18(weights=None)   # weights="DEFAULT" on the server
model.fc = nn.Linear(model.fc.in_features, 2)
for param in model.parameters():
    param.requires_grad = False

# %% [repaired]
model = models.resnet18(weights=None)   # weights="DEFAULT" on the server
for param in model.parameters():
    param.requires_grad = False
model.fc = nn.Linear(model.fc.in_features, 2)

# %%
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.fc.parameters(), lr=0.001, momentum=0.9)

# %%
model.train()
outputs = model(x)
loss = criterion(outputs, y)
loss.backward()
optimizer.step()

# %%
trainable = sum(p.numel() for p in model.parameters() if p.requires_grad)
print("trainable params:", trainable, "loss:", round(loss.item(), 4))
