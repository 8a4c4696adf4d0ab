# library: torch
# needs: numpy, torch
# compare: returns, probs_start, avg_last

# %%
import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions import Categorical

torch.manual_seed(543)

# %%
class Bandit:
    """Three slot machines; which one pays depends on the light."""
    n_actions = 3
    n_observations = 2

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def reset(self):
        self.light = int(self.rng.integers(0, 2))
        return np.array([self.light, 1 - self.light], dtype=np.float32)

    def step(self, action):
        good = 0 if self.light == 1 else 2
        return float(self.rng.random() < (0.9 if action == good else 0.1))

env = Bandit(543)

# %%
class Policy(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.affine1 = nn.Linear(n_in, 16)
        self.affine2 = nn.Linear(16, n_out)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        x = torch.relu(self.affine1(x))
        return torch.softmax(self.affine2(x), dim=-1)

policy = Policy(env.n_observations, env.n_actions)
optimizer = optim.Adam(policy.parameters(), lr=3e-2)
eps = np.finfo(np.float32).eps.item()

# %%
def select_action(state):
    state = torch.from_numpy(state).float().unsqueeze(0)
    probs = policy(state)
    m = Categorical(probs)
    action = m.sample()
    policy.saved_log_probs.append(m.log_prob(action))
    return action.item()

def finish_batch():
    R = torch.tensor(policy.rewards)
    R = (R - R.mean()) / (R.std() + eps)
    policy_loss = torch.cat([-lp * r for lp, r in zip(policy.saved_log_probs, R)]).sum()
    optimizer.zero_grad()
    policy_loss.backward()
    optimizer.step()
    total = sum(policy.rewards)
    del policy.rewards[:]
    del policy.saved_log_probs[:]
    return total

# %%
returns = []
for i_batch in range(12):
    for _ in range(20):
        state = env.reset()
        action = select_action(state)
        policy.rewards.append(env.step(action))
    returns.append(finish_batch())
returns

# %%
with torch.no_grad():
    probs_start = policy(torch.eye(2))
avg_last = sum(returns[-4:]) / 4
probs_start

