# library: pandas
# needs: pandas
# compare: word_table, domains, rating_by_length

# %%
import pandas as pd
import re
from collections import Counter

reviews = [
    {"user": "anna@mail.com", "stars": 5, "text": "Great phone!! Battery lasts 2 days."},
    {"user": "bob_77@web.de", "stars": 2, "text": "screen broke after 3 weeks :("},
    {"user": "CARL@MAIL.COM", "stars": 4, "text": "Good battery, good screen, poor camera"},
    {"user": "dora@uni.edu", "stars": 1, "text": "Battery died. Camera died. Refund!"},
    {"user": "eve@web.de", "stars": 5, "text": "Love the camera <3 and the battery"},
]
pd.DataFrame(reviews).to_json("reviews.json", orient="records")

# %%
df = pd.read_json("reviews.json")
df

# %%
df["user"] = df["user"].str.lower()
df[["name", "domain"]] = df["user"].str.split("@", expand=True)
domains = df["domain"].value_counts().sort_index()
domains

# %%
df["clean"] = (df["text"].str.lower()
                         .str.replace(r"[^a-z\s]", " ", regex=True)
                         .str.replace(r"\s+", " ", regex=True)
                         .str.strip())
df["n_words"] = df["clean"].str.split().str.len()
df[["clean", "n_words"]]

# %%
stop = {"the", "and", "after", "a"}
words = Counter(w for doc in df["clean"] for w in doc.split() if w not in stop)
word_table = pd.DataFrame(words.most_common(4), columns=["word", "n"])
word_table

# %%
df["has_number"] = df["text"].apply(lambda t: bool(re.search(r"\d", t)))
rating_by_length = df.groupby(df["n_words"] > 5)["stars"].mean().to_dict()
df.groupby("has_number")["stars"].agg(["size", "mean"])

