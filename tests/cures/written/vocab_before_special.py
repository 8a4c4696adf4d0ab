# group: torch
# seen: 2026-11-29d
# fails: IndexError: index out of range in self
# cause: VOCAB is taken before the special tokens are added to the tokenizer, so the embedding is two rows too small for
#   the pad and mask ids; count after add_special_tokens.
# holds: emb.num_embeddings == tok.get_vocab_size() -> True
# holds: tok.token_to_id("[MASK]") < VOCAB -> True
# holds: tuple(vecs.shape) -> (4, 8, 6)

# %%
import torch
from torch import nn
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.trainers import WordLevelTrainer

# %%
corpus = ["the cat sat on the mat", "a dog sat near the cat", "birds sing", "the dog runs and the birds fly away"]
tok = Tokenizer(WordLevel(unk_token="[UNK]"))
tok.pre_tokenizer = Whitespace()
tok.train_from_iterator(corpus, WordLevelTrainer(special_tokens=["[UNK]"], show_progress=False))
VOCAB = tok.get_vocab_size()
VOCAB

# %%
tok.add_special_tokens(["[PAD]", "[MASK]"])
tok.enable_padding(pad_id=tok.token_to_id("[PAD]"), pad_token="[PAD]")

# %% [repaired]
tok.add_special_tokens(["[PAD]", "[MASK]"])
tok.enable_padding(pad_id=tok.token_to_id("[PAD]"), pad_token="[PAD]")
VOCAB = tok.get_vocab_size()

# %%
enc = tok.encode_batch(corpus)
ids = torch.tensor([e.ids for e in enc])
print(ids.shape)

# %%
emb = nn.Embedding(VOCAB, 6)

# %%
vecs = emb(ids)
vecs.mean(dim=1)
