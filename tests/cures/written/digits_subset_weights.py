# group: torch
# seen: 2026-11-30f
# fails: AttributeError: 'Subset' object has no attribute 'targets'
# cause: random_split gives Subset objects, which have no .targets; the labels must be taken from the full dataset by the subset's indices.
# holds: len(train_y) -> 240
# holds: len(w) -> 240
# holds: bool((torch.tensor([full[i][1] for i in train_set.indices]) == train_y).all()) -> True
# holds: int(train_y.bincount().sum()) -> 240

# %%
import torch
from torch.utils.data import Dataset, DataLoader, WeightedRandomSampler, random_split

# %%
class ToyDigits(Dataset):
    """like torchvision's MNIST: .data and .targets"""
    def __init__(self, n=300, seed=0):
        g = torch.Generator().manual_seed(seed)
        probs = torch.tensor([.6, .25, .1, .05])
        self.targets = torch.multinomial(probs, n, replacement=True, generator=g)
        self.data = torch.rand(n, 1, 8, 8, generator=g)
    def __len__(self):
        return len(self.targets)
    def __getitem__(self, i):
        return self.data[i], int(self.targets[i])

# %%
full = ToyDigits()
train_set, test_set = random_split(full, [240, 60], generator=torch.Generator().manual_seed(42))
print(len(train_set), len(test_set))

# %%
# classes are very unequal -> draw rare ones more often
train_y = train_set.targets
w = 1.0 / train_y.bincount()[train_y].float()
sampler = WeightedRandomSampler(w, num_samples=len(train_set))

# %% [repaired]
# classes are very unequal -> draw rare ones more often
train_y = full.targets[train_set.indices]
w = 1.0 / train_y.bincount()[train_y].float()
sampler = WeightedRandomSampler(w, num_samples=len(train_set))

# %%
torch.manual_seed(0)
xb, yb = next(iter(DataLoader(train_set, batch_size=120, sampler=sampler)))
print(xb.shape, yb.bincount())
