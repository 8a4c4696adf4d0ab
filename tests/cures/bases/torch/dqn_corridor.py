# library: torch
# needs: numpy, torch
# compare: episode_rewards, q_values, policy

# %%
import random
from collections import deque, namedtuple

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(0); np.random.seed(0); torch.manual_seed(0)
Transition = namedtuple("Transition", ["state", "action", "reward", "next_state", "done"])

# %%
class Corridor:
    """Walk right to the goal in at most 12 moves."""
    size = 5

    def reset(self):
        self.pos, self.moves = 0, 0
        return self._obs()

    def _obs(self):
        obs = np.zeros(self.size, dtype=np.float32)
        obs[self.pos] = 1
        return obs

    def step(self, action):
        self.pos = min(max(self.pos + (1 if action == 1 else -1), 0), self.size - 1)
        self.moves += 1
        done = self.pos == self.size - 1 or self.moves >= 12
        reward = 1.0 if self.pos == self.size - 1 else -0.05
        return self._obs(), reward, done

env = Corridor()
env.reset(), env.step(1)

# %%
class ReplayBuffer:
    def __init__(self, capacity):
        self.memory = deque(maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, n):
        batch = random.sample(self.memory, n)
        s, a, r, s2, d = zip(*batch)
        return (torch.tensor(np.array(s)), torch.tensor(a).unsqueeze(1), torch.tensor(r),
                torch.tensor(np.array(s2)), torch.tensor(d, dtype=torch.float32))

    def __len__(self):
        return len(self.memory)

qnet = nn.Sequential(nn.Linear(env.size, 16), nn.ReLU(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(qnet.parameters(), lr=0.02)
buffer = ReplayBuffer(500)
GAMMA, BATCH = 0.95, 16

# %%
episode_rewards = []
epsilon = 1.0
for episode in range(12):
    state, total, done = env.reset(), 0.0, False
    while not done:
        if random.random() < epsilon:
            action = random.randrange(2)
        else:
            with torch.no_grad():
                action = qnet(torch.from_numpy(state)).argmax().item()
        next_state, reward, done = env.step(action)
        buffer.push(state, action, reward, next_state, done)
        state = next_state
        total += reward
        if len(buffer) >= BATCH:
            s, a, r, s2, d = buffer.sample(BATCH)
            q = qnet(s).gather(1, a).squeeze(1)
            with torch.no_grad():
                target = r + GAMMA * qnet(s2).max(dim=1).values * (1 - d)
            loss = F.smooth_l1_loss(q, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    epsilon = max(0.1, epsilon * 0.8)
    episode_rewards.append(round(total, 2))
episode_rewards

# %%
with torch.no_grad():
    q_values = qnet(torch.eye(env.size))
policy = ["left" if a == 0 else "right" for a in q_values.argmax(1).tolist()]
print(policy)

