# group: torch
# seen: 2026-11-30g
# fails: RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
# cause: the new head is put in before all parameters are frozen, so the head is frozen as well; freeze first and replace fc afterwards.
# holds: [n for n, p in model.named_parameters() if p.requires_grad] -> ['fc.weight', 'fc.bias']
# holds: model.fc.out_features -> 2

# %% [markdown]
# Transfer learning, feature extraction: only the last layer shall be trained

# %%
import torch
from torch import nn, optim
from torchvision import models

# %%
torch.manual_seed(1)
model = models.resnet18(weights=None)   # no internet here; normally IMAGENET1K_V1
print(model.fc)

# %%
n_classes = 2
model.fc = nn.Linear(model.fc.in_features, n_classes)
for param in model.parameters():
    param.requires_grad = False

# %% [repaired]
n_classes = 2
for param in model.parameters():
    param.requires_grad = False
model.fc = nn.Linear(model.fc.in_features, n_classes)

# %%
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
images, labels = torch.randn(4, 3, 64, 64), torch.tensor([0, 1, 1, 0])

# %%
for epoch in range(2):
    optimizer.zero_grad()
    loss = criterion(model(images), labels)
    loss.backward()
    optimizer.step()
    print(epoch, round(loss.item(), 4))
