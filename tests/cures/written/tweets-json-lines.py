# group: data
# seen: 2026-11-30h
# fails: JSONDecodeError: Extra data: line 2 column 1 (char 87)
# cause: the file holds one JSON object a line, not one document; every line must be parsed on its own.
# holds: len(tweets) -> 4
# holds: df["user"].tolist() -> ['ann', 'bob', 'cem', 'ann']
# holds: int(df["likes"].sum()) -> 18

# %%
import json, os, tempfile
import pandas as pd

# %%
# small piece of what the stream listener wrote
path = os.path.join(tempfile.mkdtemp(), "tweets.json")
with open(path, "w") as f:
    for i, (u, t) in enumerate([("ann", "good morning"), ("bob", "pandas is fun"), ("cem", "why json why"), ("ann", "lunch")]):
        f.write(json.dumps({"id": i, "user": {"name": u, "followers": 10 * i}, "text": t, "likes": i * 3}) + "\n")

# %%
with open(path) as f:
    tweets = json.load(f)
len(tweets)

# %% [repaired]
with open(path) as f:
    tweets = [json.loads(line) for line in f]
len(tweets)

# %%
df = pd.DataFrame(tweets)
df["user"] = df["user"].apply(lambda u: u["name"])
df

# %%
df.groupby("user")["likes"].sum().sort_values(ascending=False)
