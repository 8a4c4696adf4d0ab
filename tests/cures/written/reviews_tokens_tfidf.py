# group: data
# seen: 2026-11-29d
# fails: AttributeError: 'list' object has no attribute 'lower'
# cause: clean() returns a list of tokens, but the vectorizer lowers and splits strings; join the tokens again.
# holds: reviews["clean"].iloc[0] -> 'soup great'
# holds: M.shape -> (6, 14)
# holds: "the" in vec.vocabulary_ -> False

# %%
import re
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.naive_bayes import MultinomialNB

# %%
reviews = pd.DataFrame({
    "text": ["The soup was GREAT!!", "terrible service, cold soup", "Great place; the best pizza",
             "the waiter was rude and slow", "best dessert in town", "Cold pizza. Slow kitchen."],
    "stars": [5, 1, 5, 2, 5, 1],
})

# %%
STOP = {"the", "was", "and", "in"}

def clean(s):
    s = re.sub(r"[^a-z ]", " ", s.lower())
    words = [w for w in s.split() if w not in STOP]
    return words

# %% [repaired]
STOP = {"the", "was", "and", "in"}

def clean(s):
    s = re.sub(r"[^a-z ]", " ", s.lower())
    words = [w for w in s.split() if w not in STOP]
    return " ".join(words)

# %%
reviews["clean"] = reviews["text"].map(clean)
reviews[["text", "clean"]]

# %%
vec = TfidfVectorizer(min_df=1)
M = vec.fit_transform(reviews["clean"])
nb = MultinomialNB().fit(M, reviews["stars"] > 3)
nb.score(M, reviews["stars"] > 3)
