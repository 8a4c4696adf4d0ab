# group: torch
# seen: 2026-11-30g
# fails: ValueError: The model did not return a loss from the inputs, only the following keys: logits. For reference, the inputs it received are input_ids,attention_mask.
# cause: the target column is named "sentiment"; the Trainer drops columns the model does not know, so no labels arrive and no loss is
#   computed. It must be called "labels".
# holds: "sentiment" in ds.column_names -> False
# holds: ds.num_rows -> 16
# holds: out.global_step -> 2

# %%
import torch
from datasets import Dataset
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

# %%
torch.manual_seed(0)
ids = torch.randint(5, 60, (16, 10))
ds = Dataset.from_dict({
    "input_ids": ids.tolist(),
    "attention_mask": torch.ones_like(ids).tolist(),
    "sentiment": [0, 1] * 8,
})
ds

# %% [repaired]
torch.manual_seed(0)
ids = torch.randint(5, 60, (16, 10))
ds = Dataset.from_dict({
    "input_ids": ids.tolist(),
    "attention_mask": torch.ones_like(ids).tolist(),
    "sentiment": [0, 1] * 8,
})
ds = ds.rename_column("sentiment", "labels")
ds

# %%
cfg = BertConfig(vocab_size=64, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
                 intermediate_size=32, max_position_embeddings=16, num_labels=2)
model = BertForSequenceClassification(cfg)

# %%
args = TrainingArguments(output_dir="out", max_steps=2, per_device_train_batch_size=8,
                         report_to="none", save_strategy="no", disable_tqdm=True, use_cpu=True)
trainer = Trainer(model=model, args=args, train_dataset=ds)

# %%
out = trainer.train()

# %%
print(out.global_step, "steps")
