# group: torch
# seen: 2026-11-30g
# fails: ValueError: only one element tensors can be converted to Python scalars
# cause: torch.tensor() is called on a list of tensors with several elements each; torch.stack joins them to a batch.
# holds: tuple(states.shape) -> (8, 4)
# holds: tuple(q.shape) -> (8,)
# holds: torch.equal(states[0], batch[0][0]) -> True

# %%
import random
from collections import deque
import torch
import torch.nn as nn

# %%
random.seed(0); torch.manual_seed(0)
memory = deque(maxlen=100)
state = torch.zeros(4)
for t in range(50):
    nxt = state + 0.1 * torch.randn(4)
    memory.append((state, random.randrange(2), random.random(), nxt))
    state = nxt
len(memory)

# %%
qnet = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))

# %%
batch = random.sample(list(memory), 8)
states = torch.tensor([b[0] for b in batch])
actions = torch.tensor([b[1] for b in batch])
rewards = torch.tensor([b[2] for b in batch])

# %% [repaired]
batch = random.sample(list(memory), 8)
states = torch.stack([b[0] for b in batch])
actions = torch.tensor([b[1] for b in batch])
rewards = torch.tensor([b[2] for b in batch])

# %%
q = qnet(states).gather(1, actions.unsqueeze(1)).squeeze(1)
print(q.shape, rewards.mean())
