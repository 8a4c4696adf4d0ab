# group: torch
# seen: 2026-11-30g
# fails: ValueError: Stratifying by column is only supported for ClassLabel column, and column label is Value.
# cause: stratify_by_column wants a ClassLabel column, and label is a plain integer; class_encode_column before the split.
# holds: sorted(Counter(split["test"]["label"]).items()) -> [(0, 8), (1, 3), (2, 1)]
# holds: type(split["train"].features["label"]).__name__ -> 'ClassLabel'
# holds: split["train"].num_rows -> 48

# %%
from collections import Counter
import pandas as pd
from datasets import Dataset

# %%
df = pd.DataFrame({"text": [f"ticket number {i}" for i in range(60)], "label": [0] * 40 + [1] * 15 + [2] * 5})
df.label.value_counts()

# %%
dset = Dataset.from_pandas(df)
dset.features

# %% [repaired]
dset = Dataset.from_pandas(df)
dset = dset.class_encode_column("label")
dset.features

# %%
# class 2 is rare so I want it in both parts
split = dset.train_test_split(test_size=0.2, seed=42, stratify_by_column="label")

# %%
for part in split:
    print(part, Counter(split[part]["label"]))
