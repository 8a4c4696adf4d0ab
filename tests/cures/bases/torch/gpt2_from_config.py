# library: transformers
# needs: torch, transformers
# compare: n_params, losses, generated

# %%
import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(3)
device = "cuda" if torch.cuda.is_available() else "cpu"

# %%
text = "abcabcabcabdabcabcabcabd" * 2
stoi = {c: i for i, c in enumerate(sorted(set(text)))}
itos = {i: c for c, i in stoi.items()}
ids = torch.tensor([[stoi[c] for c in text]])
ids.shape

# %%
cfg = GPT2Config(vocab_size=len(stoi), n_positions=64, n_embd=32, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=None,
                 resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0)
lm = GPT2LMHeadModel(cfg).to(device)
n_params = sum(p.numel() for p in lm.parameters())
n_params

# %%
opt = torch.optim.AdamW(lm.parameters(), lr=1e-2)
losses = []
for i in range(12):
    out = lm(ids, labels=ids)
    out.loss.backward()
    opt.step()
    opt.zero_grad()
    losses.append(round(out.loss.item(), 3))
print(losses[0], "->", losses[-1])

# %%
lm.eval()
prompt = torch.tensor([[stoi[c] for c in "abc"]]).to(device)
gen = lm.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=9, do_sample=False, pad_token_id=0)
generated = "".join(itos[i] for i in gen[0].tolist())
generated

