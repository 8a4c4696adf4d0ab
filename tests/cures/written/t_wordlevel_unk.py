# group: torch
# seen: 2026-11-29b
# fails: Exception: WordLevel error: Missing [UNK] token from the vocabulary
# cause: the trainer was not told to put [UNK] into the vocabulary, so a new word cannot be encoded.
# holds: enc.tokens -> ['the', '[UNK]', 'sat', 'on', 'the', 'mat']
# holds: n_unk -> 1

# %%
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.trainers import WordLevelTrainer

# %%
corpus = ["the cat sat on the mat", "the dog lay on the rug", "a cat and a dog"]

# %%
tok = Tokenizer(WordLevel(unk_token="[UNK]"))
tok.pre_tokenizer = Whitespace()
trainer = WordLevelTrainer(special_tokens=["[PAD]"])
tok.train_from_iterator(corpus, trainer)
tok.get_vocab_size()

# %% [repaired]
tok = Tokenizer(WordLevel(unk_token="[UNK]"))
tok.pre_tokenizer = Whitespace()
trainer = WordLevelTrainer(special_tokens=["[PAD]", "[UNK]"])
tok.train_from_iterator(corpus, trainer)
tok.get_vocab_size()

# %%
print(tok.encode("a dog on the mat").ids)

# %%
enc = tok.encode("the parrot sat on the mat")
enc.tokens

# %%
n_unk = enc.tokens.count("[UNK]")
print("unknown:", n_unk, "of", len(enc.ids))
