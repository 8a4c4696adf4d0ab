# group: torch
# seen: 2026-11-28
# fails: ValueError: Stratifying by column is only supported for ClassLabel column, and column intent is Value.
# cause: The label column is plain strings (made so in cell 2); train_test_split(stratify_by_column=...) wants a
#   ClassLabel.
# holds: len(parts["train"]) -> 80
# holds: len(parts["test"]) -> 20
# holds: type(ds.features["intent"]).__name__ -> 'ClassLabel'
# holds: sorted(Counter(parts["test"]["intent"]).values()) -> [4, 8, 8]

# %%
from collections import Counter
from datasets import Dataset

# %%
samples = [("turn on the light", "light"), ("lights off please", "light"), ("play some jazz", "music"),
           ("next song", "music"), ("what's the weather", "weather"), ("will it rain", "weather")]
rows = {"text": [], "intent": []}
for i in range(20):
    for text, intent in samples[: 6 if i % 2 else 4]:
        rows["text"].append(f"{text} ({i})")
        rows["intent"].append(intent)
ds = Dataset.from_dict(rows)
print(Counter(ds["intent"]))

# %% [repaired]
samples = [("turn on the light", "light"), ("lights off please", "light"), ("play some jazz", "music"),
           ("next song", "music"), ("what's the weather", "weather"), ("will it rain", "weather")]
rows = {"text": [], "intent": []}
for i in range(20):
    for text, intent in samples[: 6 if i % 2 else 4]:
        rows["text"].append(f"{text} ({i})")
        rows["intent"].append(intent)
ds = Dataset.from_dict(rows).class_encode_column("intent")
print(Counter(ds["intent"]))

# %%
def add_len(ex):
    ex["n_chars"] = len(ex["text"])
    return ex

ds = ds.map(add_len)
ds.features

# %%
parts = ds.train_test_split(test_size=0.2, stratify_by_column="intent", seed=42)
parts

# %%
Counter(parts["test"]["intent"])
