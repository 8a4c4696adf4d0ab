# group: torch
# seen: 2026-11-29e
# fails: ValueError: Asking to pad but the tokenizer does not have a padding token. Please select a token to use as `pad_token` `(tokenizer.pad_token = tokenizer.eos_token e.g.)` or add a new pad token via `tokenizer.add_special_tokens({'pad_token': '[PAD]'})`.
# cause: the fast tokenizer was wrapped without pad_token, so padding isn't possible.
# holds: tuple(enc["input_ids"].shape) -> (4, 6)
# holds: enc["attention_mask"].sum(1).tolist() -> [6, 2, 4, 5]
# holds: tok.pad_token_id -> 0

# %%
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.trainers import WordLevelTrainer
from transformers import PreTrainedTokenizerFast

# %%
recipes = ["mix the flour and the eggs", "add sugar", "bake for one hour", "let it cool and serve"]
raw = Tokenizer(WordLevel(unk_token="[UNK]"))
raw.pre_tokenizer = Whitespace()
raw.train_from_iterator(recipes, WordLevelTrainer(special_tokens=["[PAD]", "[UNK]"]))
raw.get_vocab_size()

# %%
tok = PreTrainedTokenizerFast(tokenizer_object=raw, unk_token="[UNK]")
tok("add the eggs")["input_ids"]

# %% [repaired]
tok = PreTrainedTokenizerFast(tokenizer_object=raw, unk_token="[UNK]", pad_token="[PAD]")
tok("add the eggs")["input_ids"]

# %%
enc = tok(recipes, padding=True, return_tensors="pt")
print(enc["input_ids"])

# %%
print("lengths:", enc["attention_mask"].sum(1))
