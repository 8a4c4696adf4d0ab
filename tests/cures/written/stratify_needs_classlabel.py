# group: torch
# seen: 2026-11-29e
# fails: ValueError: Stratifying by column is only supported for ClassLabel column, and column topic is Value.
# cause: stratify_by_column needs a ClassLabel column, here it is plain strings; class_encode_column first.
# holds: sorted(parts["test"]["topic"]).count(0) -> 2
# holds: parts["train"].num_rows -> 32
# holds: parts["train"].features["topic"].names -> ['economy', 'sport']

# %%
from datasets import Dataset
import pandas as pd

# %%
news = pd.DataFrame({
    "text": [f"headline number {i}" for i in range(40)],
    "topic": (["sport"] * 3 + ["economy"]) * 10,
})
news["topic"].value_counts()

# %%
ds = Dataset.from_pandas(news)
ds

# %% [repaired]
ds = Dataset.from_pandas(news).class_encode_column("topic")
ds

# %%
ds = ds.map(lambda r: {"n": len(r["text"])})

# %%
parts = ds.train_test_split(test_size=0.2, seed=1, stratify_by_column="topic")
print(parts)

# %%
pd.Series(list(parts["test"]["topic"])).value_counts()
