# group: torch
# seen: 2026-11-29c
# fails: Exception: WordLevel error: Missing [UNK] token from the vocabulary
# cause: the trainer is not given [UNK] as a special token, so the vocabulary lacks it and new words cannot be encoded.
# holds: tok.token_to_id("[UNK]") is not None -> True
# holds: enc.tokens -> ['water', 'the', '[UNK]']
# holds: tok.encode("water the garden").tokens -> ['water', 'the', 'garden']

# %%
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.trainers import WordLevelTrainer

# %%
notes = ["water the roses", "cut the hedge", "water the tomatoes twice", "plant onions", "sweep the garden path"]
len(notes)

# %%
tok = Tokenizer(WordLevel(unk_token="[UNK]"))
tok.pre_tokenizer = Whitespace()
trainer = WordLevelTrainer(vocab_size=200)

# %% [repaired]
tok = Tokenizer(WordLevel(unk_token="[UNK]"))
tok.pre_tokenizer = Whitespace()
trainer = WordLevelTrainer(vocab_size=200, special_tokens=["[UNK]"])

# %%
tok.train_from_iterator(notes, trainer)
print("vocab:", tok.get_vocab_size())
print(tok.encode("water the garden").ids)

# %%
enc = tok.encode("water the lettuce")
print(enc.tokens, enc.ids)

# %%
lengths = [len(tok.encode(n).ids) for n in notes]
print("longest note:", max(lengths))
