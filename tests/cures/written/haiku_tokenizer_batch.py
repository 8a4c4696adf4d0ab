# group: torch
# seen: 2026-11-30f
# fails: ValueError: expected sequence of length 4 at dim 1 (got 6)
# cause: padding was never switched on in the tokenizer, so the encoded lines differ in length and can't become one tensor.
# holds: ids.shape -> torch.Size([5, 11])
# holds: int((ids == tok.token_to_id("[PAD]")).sum()) -> 22
# holds: tok.decode(ids[1].tolist()) -> 'a frog jumps into the pond'

# %%
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.trainers import WordLevelTrainer

# %%
haiku = [
    "an old silent pond",
    "a frog jumps into the pond",
    "splash silence again",
    "autumn moonlight a worm digs silently into the chestnut",
    "in the twilight rain these brilliant hued hibiscus a lovely sunset",
]

# %%
tok = Tokenizer(WordLevel(unk_token="[UNK]"))
tok.pre_tokenizer = Whitespace()
tok.train_from_iterator(haiku, WordLevelTrainer(special_tokens=["[PAD]", "[UNK]"]))
tok.get_vocab_size()

# %% [repaired]
tok = Tokenizer(WordLevel(unk_token="[UNK]"))
tok.pre_tokenizer = Whitespace()
tok.train_from_iterator(haiku, WordLevelTrainer(special_tokens=["[PAD]", "[UNK]"]))
tok.enable_padding(pad_id=tok.token_to_id("[PAD]"), pad_token="[PAD]")
tok.get_vocab_size()

# %%
tok.encode("a silent frog in spring").tokens

# %%
enc = tok.encode_batch(haiku)
ids = torch.tensor([e.ids for e in enc])
ids

# %%
emb = torch.nn.Embedding(tok.get_vocab_size(), 8, padding_idx=0)
emb(ids).shape
