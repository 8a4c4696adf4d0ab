# group: data
# seen: 2026-11-29e
# fails: ValueError: Found input variables with inconsistent numbers of samples: [1, 10]
# cause: df[["text"]] is a DataFrame, iterating it gives the column name, so there's one "document"; the vectorizer needs the Series df["text"].
# holds: X.shape[0] -> 10
# holds: clf.predict(vec.transform(["great soup"])).tolist() -> ['pos']

# %%
import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

# %%
df = pd.DataFrame({
    "text": ["great food", "awful service", "great soup", "cold soup awful", "lovely staff",
             "rude staff", "lovely great place", "awful place", "food was lovely", "rude and cold"],
    "label": ["pos", "neg", "pos", "neg", "pos", "neg", "pos", "neg", "pos", "neg"],
})
df.label.value_counts()

# %%
vec = CountVectorizer()
X = vec.fit_transform(df[["text"]])
X

# %% [repaired]
vec = CountVectorizer()
X = vec.fit_transform(df["text"])
X

# %%
y = df["label"]
clf = MultinomialNB()
clf.fit(X, y)

# %%
for t in ["great soup", "rude and awful"]:
    print(t, "->", clf.predict(vec.transform([t]))[0])
