# library: transformers
# needs: datasets, tokenizers, torch, transformers
# compare: vocab_size, batch_ids, collated_shape, decoded

# %%
import torch
from datasets import Dataset
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.trainers import WordLevelTrainer
from torch.utils.data import DataLoader
from transformers import DataCollatorWithPadding, PreTrainedTokenizerFast

corpus = ["hello world", "hello there general", "the world is big", "is there a bigger world ?"]

# %%
tok = Tokenizer(WordLevel(unk_token="[UNK]"))
tok.pre_tokenizer = Whitespace()
trainer = WordLevelTrainer(special_tokens=["[UNK]", "[PAD]"], min_frequency=1)
tok.train_from_iterator(corpus, trainer)
vocab_size = tok.get_vocab_size()
vocab_size

# %%
tokenizer = PreTrainedTokenizerFast(tokenizer_object=tok, unk_token="[UNK]", pad_token="[PAD]")
enc = tokenizer("hello brave world")
print(enc.keys())
tokenizer.convert_ids_to_tokens(enc["input_ids"])

# %%
raw = Dataset.from_dict({"text": corpus, "label": [0, 0, 1, 1]})

def tokenize_function(examples):
    return tokenizer(examples["text"], truncation=True, max_length=5)

tokenized = raw.map(tokenize_function, batched=True)
tokenized = tokenized.remove_columns(["text"]).rename_column("label", "labels")
tokenized.column_names

# %%
collator = DataCollatorWithPadding(tokenizer=tokenizer, return_tensors="pt")
loader = DataLoader(tokenized, batch_size=4, collate_fn=collator)
batch = next(iter(loader))
collated_shape = tuple(batch["input_ids"].shape)
batch_ids = batch["attention_mask"].sum(dim=1)
{k: v.shape for k, v in batch.items()}

# %%
decoded = tokenizer.batch_decode(batch["input_ids"], skip_special_tokens=True)
decoded

