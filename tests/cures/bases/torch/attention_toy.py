# library: torch
# needs: torch
# compare: weights_row, out_shape, masked_max, last_loss

# %%
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1337)
B, T, C = 2, 6, 16   # batch, time, channels
n_head = 4
x = torch.randn(B, T, C)

# %%
class CausalSelfAttention(nn.Module):
    def __init__(self, n_embd, n_head, block_size):
        super().__init__()
        assert n_embd % n_head == 0
        self.qkv = nn.Linear(n_embd, 3 * n_embd)
        self.proj = nn.Linear(n_embd, n_embd)
        self.n_head = n_head
        self.register_buffer("mask", torch.tril(torch.ones(block_size, block_size)).view(1, 1, block_size, block_size))

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.qkv(x).split(C, dim=2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))
        att = att.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        self.last_att = att.detach()
        y = (att @ v).transpose(1, 2).contiguous().view(B, T, C)
        return self.proj(y)

attn = CausalSelfAttention(C, n_head, block_size=8)
out = attn(x)
out_shape = list(out.shape)
out_shape

# %%
weights_row = attn.last_att[0, 0, 2]
masked_max = attn.last_att.triu(1).max().item()
print(weights_row, masked_max)

# %%
class Block(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        self.ln1 = nn.LayerNorm(n_embd)
        self.attn = CausalSelfAttention(n_embd, n_head, 8)
        self.ln2 = nn.LayerNorm(n_embd)
        self.mlp = nn.Sequential(nn.Linear(n_embd, 4 * n_embd), nn.GELU(), nn.Linear(4 * n_embd, n_embd))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))

block = Block(C, n_head)
print(sum(p.numel() for p in block.parameters()), "parameters")

# %%
# predict the previous vector
optimizer = torch.optim.AdamW(block.parameters(), lr=3e-3)
for it in range(10):
    y = block(x)
    loss = F.mse_loss(y[:, 1:], x[:, :-1])
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
last_loss = loss.item()
last_loss

