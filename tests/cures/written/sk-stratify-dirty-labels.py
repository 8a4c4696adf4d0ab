# group: data
# seen: 2026-11-28
# fails: ValueError: The least populated classes in y have only 1 member, which is too few. The minimum number of groups for any class cannot be less than 2. Classes with too few members are: ['spam ']
# cause: The hand-typed labels are not uniform ("Spam", "spam ", "SPAM"): one spelling occurs once, so stratify=
#   fails in the split; cell 3 cleans the text only.
# holds: sorted(set(y)) -> ['ham', 'spam']
# holds: X_tr.shape[0] + X_te.shape[0] -> 60
# holds: len(clf.classes_) -> 2
# holds: int((y_te == "spam").sum()) -> 9

# %%
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import MultinomialNB

# %%
spam = ["win a free phone now", "cheap loans, call now", "you have won cash", "free entry, text WIN", "claim your prize"] * 6
ham = ["see you at lunch", "meeting moved to 3", "can you call mum", "thanks for the notes", "running late, sorry"] * 6
df = pd.DataFrame({"text": spam + ham, "label": ["spam"] * 30 + ["ham"] * 30})
# typed in by three people...
df.loc[[3, 8], "label"] = "Spam"
df.loc[11, "label"] = "spam "
df.loc[[33, 40, 41], "label"] = "Ham"
df = df.sample(frac=1, random_state=0, ignore_index=True)

# %%
def clean(df):
    df = df.copy()
    df["text"] = df["text"].str.lower().str.replace(r"[^a-z0-9 ]", "", regex=True)
    return df.dropna()

df = clean(df)
df.head()

# %% [repaired]
def clean(df):
    df = df.copy()
    df["text"] = df["text"].str.lower().str.replace(r"[^a-z0-9 ]", "", regex=True)
    df["label"] = df["label"].str.strip().str.lower()
    return df.dropna()

df = clean(df)
df.head()

# %%
vec = TfidfVectorizer(ngram_range=(1, 2))
X = vec.fit_transform(df["text"])
y = df["label"]
X.shape

# %%
X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=.3, stratify=y, random_state=42)

# %%
clf = MultinomialNB().fit(X_tr, y_tr)
print("acc", clf.score(X_te, y_te))
