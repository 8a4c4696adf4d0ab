# library: torch
# needs: torch
# compare: vocab, final_loss, sample

# %%
import torch
import torch.nn as nn

text = "the quick brown fox jumps over the lazy dog. the dog sleeps. "
chars = sorted(set(text))
vocab = {ch: i for i, ch in enumerate(chars)}
inv_vocab = {i: ch for ch, i in vocab.items()}
print(len(text), len(vocab))

# %%
def encode(s):
    return torch.tensor([vocab[c] for c in s], dtype=torch.long)

def decode(ids):
    return "".join(inv_vocab[int(i)] for i in ids)

data = encode(text)
decode(data[:9])

# %%
SEQ = 12
inputs = torch.stack([data[i:i + SEQ] for i in range(0, len(data) - SEQ - 1, 4)])
targets = torch.stack([data[i + 1:i + SEQ + 1] for i in range(0, len(data) - SEQ - 1, 4)])
inputs.shape, targets.shape

# %%
class CharRNN(nn.Module):
    def __init__(self, vocab_size, embed_dim=8, hidden_dim=24):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embed_dim)
        self.rnn = nn.GRU(embed_dim, hidden_dim, batch_first=True)
        self.head = nn.Linear(hidden_dim, vocab_size)

    def forward(self, x, h=None):
        out, h = self.rnn(self.embed(x), h)
        return self.head(out), h

torch.manual_seed(7)
rnn = CharRNN(len(vocab))
rnn

# %%
optimizer = torch.optim.Adam(rnn.parameters(), lr=0.03)
criterion = nn.CrossEntropyLoss()
for step in range(25):
    logits, _ = rnn(inputs)
    loss = criterion(logits.reshape(-1, len(vocab)), targets.reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(rnn.parameters(), 1.0)
    optimizer.step()
final_loss = loss.item()
print(f"loss after {step + 1} steps: {final_loss:.3f}")

# %%
@torch.no_grad()
def generate(prompt, n=20):
    rnn.eval()
    ids = encode(prompt).unsqueeze(0)
    out, h = rnn(ids)
    result = list(prompt)
    for _ in range(n):
        nxt = out[:, -1].argmax(dim=-1)
        result.append(inv_vocab[nxt.item()])
        out, h = rnn(nxt.unsqueeze(1), h)
    return "".join(result)

sample = generate("the ")
sample

