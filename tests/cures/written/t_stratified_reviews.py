# group: torch
# seen: 2026-11-29b
# fails: ValueError: Stratifying by column is only supported for ClassLabel column, and column label is Value.
# cause: train_test_split can stratify only by a ClassLabel column, label is a plain string column; class_encode_column first.
# holds: (parts["train"].num_rows, parts["test"].num_rows) -> (30, 10)
# holds: sorted(Counter(parts["test"]["label"]).values()) -> [2, 8]
# holds: parts["test"].features["label"].names -> ['bad', 'good']

# %%
from collections import Counter
import pandas as pd
from datasets import Dataset

# %%
df = pd.DataFrame({
    "text": [f"review number {i}" for i in range(40)],
    "label": ["bad" if i % 5 == 0 else "good" for i in range(40)],
})
df.label.value_counts()

# %%
ds = Dataset.from_pandas(df)
print(ds)

# %% [repaired]
ds = Dataset.from_pandas(df).class_encode_column("label")
print(ds)

# %%
parts = ds.train_test_split(test_size=0.25, stratify_by_column="label", seed=1)
parts

# %%
for name in parts:
    print(name, Counter(parts[name]["label"]))
