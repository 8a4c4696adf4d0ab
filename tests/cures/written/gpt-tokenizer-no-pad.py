# group: torch
# seen: 2026-11-30h
# fails: ValueError: Asking to pad but the tokenizer does not have a padding token. Please select a token to use as `pad_token` `(tokenizer.pad_token = tokenizer.eos_token e.g.)` or add a new pad token via `tokenizer.add_special_tokens({'pad_token': '[PAD]'})`.
# cause: the GPT style tokenizer has no padding token; pad_token must be set (to the eos token as usual) before padding.
# holds: tok.pad_token -> '<|endoftext|>'
# holds: tuple(enc["input_ids"].shape) -> (3, 6)
# holds: enc["attention_mask"].sum(1).tolist() -> [4, 6, 2]

# %%
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

# %%
texts = ["once upon a time", "there was a very small model", "the end"]

# %%
# train a mini tokenizer instead of downloading gpt2
t = Tokenizer(models.WordLevel(unk_token="<unk>"))
t.pre_tokenizer = pre_tokenizers.Whitespace()
t.train_from_iterator(texts, trainers.WordLevelTrainer(special_tokens=["<unk>", "<|endoftext|>"]))
t.get_vocab_size()

# %%
tok = PreTrainedTokenizerFast(tokenizer_object=t, unk_token="<unk>", bos_token="<|endoftext|>", eos_token="<|endoftext|>")
tok.tokenize(texts[1])

# %% [repaired]
tok = PreTrainedTokenizerFast(tokenizer_object=t, unk_token="<unk>", bos_token="<|endoftext|>", eos_token="<|endoftext|>")
tok.pad_token = tok.eos_token
tok.tokenize(texts[1])

# %%
enc = tok(texts, padding=True, return_tensors="pt")
enc["input_ids"]

# %%
lens = enc["attention_mask"].sum(dim=1)
print("tokens per text:", lens.tolist())
