# group: torch
# seen: 2026-11-30g
# fails: ValueError: Asking to pad but the tokenizer does not have a padding token. Please select a token to use as `pad_token` `(tokenizer.pad_token = tokenizer.eos_token e.g.)` or add a new pad token via `tokenizer.add_special_tokens({'pad_token': '[PAD]'})`.
# cause: a GPT-2 like tokenizer has no padding token; set pad_token to the end-of-text token before padding a batch.
# holds: tok.pad_token is not None -> True
# holds: enc["input_ids"].shape -> torch.Size([4, 8])
# holds: enc["attention_mask"].sum(dim=1).tolist() -> [4, 7, 1, 8]

# %%
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

# %%
lines = ["the film was great", "i did not like it at all", "boring", "what a lovely little story about a dog"]
bpe = Tokenizer(models.WordLevel(unk_token="<|endoftext|>"))
bpe.pre_tokenizer = pre_tokenizers.Whitespace()
bpe.train_from_iterator(lines, trainers.WordLevelTrainer(special_tokens=["<|endoftext|>"]))
bpe.get_vocab_size()

# %%
# stands for AutoTokenizer.from_pretrained("gpt2")
tok = PreTrainedTokenizerFast(tokenizer_object=bpe, eos_token="<|endoftext|>", bos_token="<|endoftext|>", unk_token="<|endoftext|>")
print(tok("the film was boring"))

# %% [repaired]
# stands for AutoTokenizer.from_pretrained("gpt2")
tok = PreTrainedTokenizerFast(tokenizer_object=bpe, eos_token="<|endoftext|>", bos_token="<|endoftext|>", unk_token="<|endoftext|>")
tok.pad_token = tok.eos_token
print(tok("the film was boring"))

# %%
enc = tok(lines, padding=True, truncation=True, max_length=16, return_tensors="pt")

# %%
print(enc["input_ids"])
enc["attention_mask"]
