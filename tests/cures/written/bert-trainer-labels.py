# group: torch
# seen: 2026-11-30h
# fails: ValueError: The model did not return a loss from the inputs, only the following keys: logits. For reference, the inputs it received are input_ids,attention_mask.
# cause: the model computes a loss only from a column called labels; the data set calls it sentiment, which Trainer drops.
# holds: sorted(trainer.train_dataset.column_names) -> ['attention_mask', 'input_ids', 'labels']
# holds: trainer.state.global_step -> 4
# holds: out.metrics["train_loss"] > 0 -> True

# %%
import tempfile
import torch
from datasets import Dataset
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

# %%
# tiny BERT from scratch so it runs on my laptop
torch.manual_seed(0)
config = BertConfig(vocab_size=50, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
                    intermediate_size=32, max_position_embeddings=16, num_labels=2)
model = BertForSequenceClassification(config)
sum(p.numel() for p in model.parameters())

# %%
ids = torch.randint(1, 50, (32, 8))
train_ds = Dataset.from_dict({
    "input_ids": ids.tolist(),
    "attention_mask": torch.ones_like(ids).tolist(),
    "sentiment": (ids[:, 0] > 25).long().tolist(),
})
train_ds

# %% [repaired]
ids = torch.randint(1, 50, (32, 8))
train_ds = Dataset.from_dict({
    "input_ids": ids.tolist(),
    "attention_mask": torch.ones_like(ids).tolist(),
    "labels": (ids[:, 0] > 25).long().tolist(),
})
train_ds

# %%
args = TrainingArguments(output_dir=tempfile.mkdtemp(), num_train_epochs=1, per_device_train_batch_size=8,
                         report_to="none", save_strategy="no", use_cpu=True, disable_tqdm=True)
trainer = Trainer(model=model, args=args, train_dataset=train_ds)

# %%
out = trainer.train()
print(out.metrics["train_loss"])
