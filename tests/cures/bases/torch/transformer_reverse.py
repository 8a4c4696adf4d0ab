# library: torch
# needs: torch
# compare: src_shape, losses, mask_ok, decoded

# %%
import torch
import torch.nn as nn
import math

torch.manual_seed(0)
PAD, BOS, EOS = 0, 1, 2
VOCAB, MAX_LEN, D = 12, 7, 16

# %%
def make_batch(n):
    src = torch.randint(3, VOCAB, (n, MAX_LEN - 2))
    rev = torch.flip(src, dims=[1])
    bos = torch.full((n, 1), BOS)
    eos = torch.full((n, 1), EOS)
    return src, torch.cat([bos, rev, eos], dim=1)

src, tgt = make_batch(32)
src_shape = list(src.shape)
src[0], tgt[0]

# %%
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=20):
        super().__init__()
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe.unsqueeze(0))

    def forward(self, x):
        return x + self.pe[:, :x.size(1)]

class Seq2Seq(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, D, padding_idx=PAD)
        self.pos = PositionalEncoding(D)
        self.transformer = nn.Transformer(d_model=D, nhead=2, num_encoder_layers=1, num_decoder_layers=1,
                                          dim_feedforward=32, dropout=0.0, batch_first=True)
        self.generator = nn.Linear(D, VOCAB)

    def forward(self, src, tgt):
        mask = nn.Transformer.generate_square_subsequent_mask(tgt.size(1))
        out = self.transformer(self.pos(self.embed(src)), self.pos(self.embed(tgt)), tgt_mask=mask)
        return self.generator(out)

model = Seq2Seq()
mask_ok = bool(torch.isinf(nn.Transformer.generate_square_subsequent_mask(3)[0, 1]))
sum(p.numel() for p in model.parameters())

# %%
criterion = nn.CrossEntropyLoss(ignore_index=PAD)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, betas=(0.9, 0.98))
losses = []
for step in range(15):
    tgt_input, tgt_output = tgt[:, :-1], tgt[:, 1:]
    logits = model(src, tgt_input)
    loss = criterion(logits.reshape(-1, VOCAB), tgt_output.reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(round(loss.item(), 3))
print(losses[0], losses[-1])

# %%
def greedy_decode(src, max_len=MAX_LEN):
    model.eval()
    ys = torch.full((src.size(0), 1), BOS)
    with torch.no_grad():
        for _ in range(max_len - 1):
            next_token = model(src, ys)[:, -1].argmax(dim=-1, keepdim=True)
            ys = torch.cat([ys, next_token], dim=1)
    return ys

decoded = greedy_decode(src[:2])
decoded.shape
