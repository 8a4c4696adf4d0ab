# group: torch
# seen: 2026-11-29b
# fails: ValueError: Asking to pad but the tokenizer does not have a padding token. Please select a token to use as `pad_token` `(tokenizer.pad_token = tokenizer.eos_token e.g.)` or add a new pad token via `tokenizer.add_special_tokens({'pad_token': '[PAD]'})`.
# cause: the vocabulary has <pad>, but the wrapped tokenizer was not told that it is the pad token.
# holds: tuple(batch["input_ids"].shape) -> (3, 5)
# holds: batch["attention_mask"].sum(1).tolist() -> [2, 5, 3]
# holds: bool((batch["input_ids"][batch["attention_mask"] == 0] == tk.get_vocab()["<pad>"]).all()) -> True

# %%
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

# %%
sents = ["hello world", "we like very small models", "small is nice"]
raw_tok = Tokenizer(models.WordLevel(unk_token="<unk>"))
raw_tok.pre_tokenizer = pre_tokenizers.Whitespace()
raw_tok.train_from_iterator(sents, trainers.WordLevelTrainer(special_tokens=["<unk>", "<pad>"]))
raw_tok.get_vocab()

# %%
tk = PreTrainedTokenizerFast(tokenizer_object=raw_tok, unk_token="<unk>")
tk.tokenize("hello small planet")

# %% [repaired]
tk = PreTrainedTokenizerFast(tokenizer_object=raw_tok, unk_token="<unk>", pad_token="<pad>")
tk.tokenize("hello small planet")

# %%
batch = tk(sents, padding=True, return_tensors="pt")
batch["input_ids"]

# %%
print(batch["attention_mask"].sum(1))
