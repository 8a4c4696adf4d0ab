# library: torch
# needs: torch
# compare: trainable, frozen_same, val_loss

# %%
import copy
import torch
from torch import nn
from torch.utils.data import TensorDataset, random_split, DataLoader

torch.manual_seed(17)

# %%
class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 8, 3, stride=2), nn.BatchNorm2d(8), nn.ReLU(),
            nn.Conv2d(8, 16, 3, stride=2), nn.BatchNorm2d(16), nn.ReLU(),
            nn.AdaptiveAvgPool2d(1),
        )
        self.classifier = nn.Linear(16, 10)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))

pretrained = Backbone()
torch.save(pretrained.state_dict(), "backbone.pth")

# %%
model = Backbone()
model.load_state_dict(torch.load("backbone.pth", weights_only=True))
for param in model.parameters():
    param.requires_grad = False
num_ftrs = model.classifier.in_features
model.classifier = nn.Linear(num_ftrs, 2)
trainable = [name for name, p in model.named_parameters() if p.requires_grad]
trainable

# %%
images = torch.rand(40, 3, 24, 24)
labels = (images[:, 0].mean(dim=(1, 2)) > 0.5).long()
dataset = TensorDataset(images, labels)
train_set, val_set = random_split(dataset, [30, 10], generator=torch.Generator().manual_seed(0))
dataloaders = {
    "train": DataLoader(train_set, batch_size=10),
    "val": DataLoader(val_set, batch_size=10),
}
{phase: len(dl.dataset) for phase, dl in dataloaders.items()}

# %%
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.classifier.parameters(), lr=0.05, momentum=0.9)
best_state, best_loss = None, float("inf")
for epoch in range(2):
    for phase in ["train", "val"]:
        model.train(phase == "train")
        running_loss = 0.0
        for x, y in dataloaders[phase]:
            with torch.set_grad_enabled(phase == "train"):
                loss = criterion(model(x), y)
                if phase == "train":
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
            running_loss += loss.item() * x.size(0)
        epoch_loss = running_loss / len(dataloaders[phase].dataset)
        print(f"{epoch} {phase}: {epoch_loss:.4f}")
        if phase == "val" and epoch_loss < best_loss:
            best_loss = epoch_loss
            best_state = copy.deepcopy(model.state_dict())
val_loss = best_loss

# %%
model.load_state_dict(best_state)
frozen_same = torch.equal(model.features[0].weight, pretrained.features[0].weight)
frozen_same

