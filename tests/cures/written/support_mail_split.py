# group: torch
# seen: 2026-11-30f
# fails: ValueError: Stratifying by column is only supported for ClassLabel column, and column queue is Value.
# cause: stratified splitting in datasets works for ClassLabel columns only, and `queue` is a plain string column; it needs class_encode_column("queue") first.
# holds: (len(parts["train"]), len(parts["test"])) -> (75, 25)
# holds: sorted(Counter(parts["test"]["queue"]).values()) -> [5, 10, 10]
# holds: parts["train"].features["queue"].names -> ['billing', 'login', 'returns']

# %%
from collections import Counter
import random
from datasets import Dataset

# %%
random.seed(30)
queues = ["billing"] * 40 + ["login"] * 40 + ["returns"] * 20
random.shuffle(queues)
mails = Dataset.from_dict({
    "queue": queues,
    "body": [f"hello, question {i} about {q}" for i, q in enumerate(queues)],
})
mails

# %%
Counter(mails["queue"])

# %%
parts = mails.train_test_split(test_size=0.25, seed=1, stratify_by_column="queue")
parts

# %% [repaired]
parts = mails.class_encode_column("queue").train_test_split(test_size=0.25, seed=1, stratify_by_column="queue")
parts

# %%
for name, d in parts.items():
    print(name, Counter(d["queue"]))
