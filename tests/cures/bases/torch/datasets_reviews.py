# library: datasets
# needs: datasets, numpy
# compare: columns, counts, long_ids, mean_words, order

# %%
from datasets import Dataset, concatenate_datasets
import numpy as np

# %%
reviews = {
    "text": ["great phone", "bad battery life", "works fine for me", "screen broke after a week", "love it", "not worth the money"],
    "stars": [5, 2, 4, 1, 5, 2],
    "shop": ["north", "south", "north", "east", "south", "east"],
}
ds = Dataset.from_dict(reviews)
print(ds)

# %%
ds.features

# %%
ds = ds.rename_column("stars", "rating")
ds = ds.map(lambda row: {"words": len(row["text"].split()), "good": row["rating"] >= 4})
columns = ds.column_names
ds[0]

# %%
counts = {}
for row in ds:
    counts[row["shop"]] = counts.get(row["shop"], 0) + 1
counts

# %%
good = ds.filter(lambda row: row["good"])
bad = ds.filter(lambda row: not row["good"])
print(len(good), len(bad), good.num_rows + bad.num_rows)

# %%
def number(row, idx):
    row["id"] = f"r{idx}"
    return row

numbered = ds.map(number, with_indices=True)
long_ids = numbered.filter(lambda r: r["words"] > 2)["id"][:]
long_ids

# %%
both = concatenate_datasets([good, bad])
order = both.sort("rating", reverse=True).select(range(3))["text"][:]
print(both.shape, order[0])

# %%
mean_words = float(np.mean(both["words"]))
shuffled = both.shuffle(seed=3)
small = shuffled.remove_columns(["shop", "good"])
small[:2]
