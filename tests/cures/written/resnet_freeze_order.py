# group: torch
# seen: 2026-11-29c
# fails: RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
# cause: the new head is put in before all parameters are frozen, so it is frozen too and nothing is left to train.
# holds: [n for n, p in net.named_parameters() if p.requires_grad] -> ['fc.weight', 'fc.bias']
# holds: net.fc.weight.grad is not None -> True
# holds: net.conv1.weight.grad is None -> True

# %%
import torch
import torch.nn as nn
from torchvision.models import resnet18

# %%
torch.manual_seed(0)
n_classes = 5
photos = torch.rand(8, 3, 64, 64)
target = torch.randint(0, n_classes, (8,))

# %%
net = resnet18(weights=None)     # offline here, normally the ImageNet weights

# new head for our flowers
net.fc = nn.Linear(net.fc.in_features, n_classes)

# keep the backbone as it is
for p in net.parameters():
    p.requires_grad = False

# %% [repaired]
net = resnet18(weights=None)     # offline here, normally the ImageNet weights

# keep the backbone as it is
for p in net.parameters():
    p.requires_grad = False

# new head for our flowers
net.fc = nn.Linear(net.fc.in_features, n_classes)

# %%
optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
criterion = nn.CrossEntropyLoss()

# %%
net.train()
logits = net(photos)
print(logits.shape)

# %%
loss = criterion(logits, target)
loss.backward()
optimizer.step()
print("loss:", loss.item())
