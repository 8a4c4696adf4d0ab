# group: data
# seen: 2026-11-30g
# fails: ValueError: Found input variables with inconsistent numbers of samples: [1, 24]
# cause: the vectorizer is given a one-column DataFrame, and iterating over that gives the column names, so there is one
#   "document"; it needs the Series of texts.
# holds: X_tfidf.shape[0] -> 24
# holds: "comment_text" in vec.vocabulary_ -> False
# holds: clf.predict(vec.transform(["you stupid idiot"])).tolist() -> [1]

# %%
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.naive_bayes import MultinomialNB

# %%
nice = ["thanks for the great edit", "welcome to the project", "i agree with this change", "please see the talk page"]
rude = ["you are an idiot", "stupid page go away", "what an idiot edit", "you stupid troll"]
data = pd.DataFrame({"comment_text": nice * 3 + rude * 3, "toxic": [0] * 12 + [1] * 12})
data = data.sample(frac=1, random_state=1).reset_index(drop=True)
data.toxic.value_counts()

# %%
X = data[["comment_text"]]
y = data["toxic"]

# %% [repaired]
X = data["comment_text"]
y = data["toxic"]

# %%
vec = TfidfVectorizer(ngram_range=(1, 1), lowercase=True)
X_tfidf = vec.fit_transform(X)
X_tfidf

# %%
clf = MultinomialNB()
clf.fit(X_tfidf, y)
print("train acc", clf.score(X_tfidf, y))
