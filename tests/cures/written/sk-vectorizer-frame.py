# group: data
# seen: 2026-11-29
# fails: ValueError: Found input variables with inconsistent numbers of samples: [1, 160]
# cause: text is a DataFrame (df[["review"]], cell 3): the vectorizer iterates over its column names and makes one
#   row.
# holds: X.shape[0] -> 160
# holds: round(float(cv_score),3) -> 1.0
# holds: X.shape[1] > 5 -> True

# %%
import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score, StratifiedKFold

# %%
r = np.random.default_rng(3)
pos = "great lovely tasty fresh friendly quick".split()
neg = "cold rude slow stale noisy dirty".split()
neutral = "the soup place waiter table lunch was with and".split()
rows = []
for _ in range(160):
    lab = int(r.random() < .5)
    ws = list(r.choice(neutral, 6)) + list(r.choice(pos if lab else neg, 2))
    r.shuffle(ws)
    rows.append((" ".join(ws), lab))
df = pd.DataFrame(rows, columns=["review", "positive"])

# %%
text = df[["review"]]
y = df["positive"]
print(text.shape, y.mean())

# %% [repaired]
text = df["review"]
y = df["positive"]
print(text.shape, y.mean())

# %%
vec = CountVectorizer(stop_words="english")
X = vec.fit_transform(text)
print(X.shape)

# %%
cv = StratifiedKFold(5, shuffle=True, random_state=0)
cv_score = cross_val_score(LogisticRegression(), X, y, cv=cv).mean()
cv_score
