# group: torch
# seen: 2026-11-29e
# fails: AttributeError: 'list' object has no attribute 'size'
# cause: the tokenizer was called without return_tensors="pt", so the model gets lists.
# holds: tuple(out.last_hidden_state.shape) -> (2, 6, 32)
# holds: type(enc["input_ids"]).__name__ -> 'Tensor'

# %%
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

# %%
words = "[PAD] [UNK] the train is late again on time today bus".split()
t = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="[UNK]"))
t.pre_tokenizer = pre_tokenizers.Whitespace()
tok = PreTrainedTokenizerFast(tokenizer_object=t, unk_token="[UNK]", pad_token="[PAD]")
len(tok)

# %%
torch.manual_seed(0)
cfg = BertConfig(vocab_size=len(tok), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64)
bert = BertModel(cfg).eval()

# %%
sents = ["the train is late again today", "the bus is on time"]
enc = tok(sents, padding=True, return_token_type_ids=False)

# %% [repaired]
sents = ["the train is late again today", "the bus is on time"]
enc = tok(sents, padding=True, return_token_type_ids=False, return_tensors="pt")

# %%
with torch.no_grad():
    out = bert(**enc)
print(out.last_hidden_state.shape)

# %%
vec = out.last_hidden_state[:, 0]
torch.cosine_similarity(vec[0], vec[1], dim=0)
