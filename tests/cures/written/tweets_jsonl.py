# group: data
# seen: 2026-11-30g
# fails: JSONDecodeError: Extra data: line 2 column 1 (char 64)
# cause: the file holds one JSON object per line, not one document; every line has to be parsed by itself.
# holds: len(tweets) -> 4
# holds: df["retweets"].sum().item() -> 25
# holds: df.columns.tolist() -> ['id', 'user', 'text', 'retweets']

# %% [markdown]
# Loading the tweets I collected with the streaming script. The file opens fine in the editor.

# %%
import json
import pandas as pd

# %%
# what the collector did
with open("tweets.json", "w") as f:
    for i, (user, txt, rt) in enumerate([("kim", "so much rain", 3), ("lou", "train is late again", 17),
                                         ("max", "good coffee", 0), ("kim", "sun at last", 5)]):
        f.write(json.dumps({"id": i, "user": user, "text": txt, "retweets": rt}) + "\n")

# %%
with open("tweets.json") as f:
    tweets = json.load(f)
print(len(tweets))

# %% [repaired]
with open("tweets.json") as f:
    tweets = [json.loads(line) for line in f if line.strip()]
print(len(tweets))

# %%
df = pd.DataFrame(tweets)
df.head()

# %%
df.groupby("user")["retweets"].sum()
