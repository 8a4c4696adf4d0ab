# library: datasets
# needs: datasets, numpy, pandas
# compare: features, lengths, by_label, split_sizes

# %%
import pandas as pd
import numpy as np
from datasets import Dataset, DatasetDict, ClassLabel

df = pd.DataFrame({
    "sentence": ["the cat sat", "dogs bark loudly at night", "rain again", "sun at last today", "a quiet street", "noise everywhere"],
    "label": [0, 1, 1, 0, 0, 1],
})

# %%
ds = Dataset.from_pandas(df)
ds

# %%
ds = ds.cast_column("label", ClassLabel(names=["calm", "loud"]))
features = {name: str(f) for name, f in ds.features.items()}
ds.features["label"].int2str(1)

# %%
def add_length(example):
    example["n_words"] = len(example["sentence"].split())
    return example

ds = ds.map(add_length)
lengths = list(ds["n_words"])
ds[0]

# %%
def shout(batch):
    return {"upper": [s.upper() for s in batch["sentence"]]}

loud = ds.filter(lambda ex: ex["label"] == 1).map(shout, batched=True, remove_columns=["sentence"])
loud.column_names, loud["upper"][0]

# %%
splits = ds.train_test_split(test_size=0.33, seed=42)
dd = DatasetDict({"train": splits["train"], "validation": splits["test"]})
split_sizes = {k: len(v) for k, v in dd.items()}
dd

# %%
ds.set_format("numpy", columns=["n_words", "label"])
arr = ds[:]["n_words"]
by_label = {int(l): float(np.mean(arr[ds[:]["label"] == l])) for l in (0, 1)}
by_label

