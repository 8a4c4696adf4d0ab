# group: data
# seen: 2026-11-30f
# fails: TypeError: sparse array length is ambiguous; use getnnz() or shape[0]
# cause: the vectorizer gives a sparse matrix, and len() of one is refused as ambiguous; the number of documents is shape[0].
# holds: n_docs -> 8
# holds: X.shape[0] -> 8
# holds: float(df_share["onion"]) -> 0.375

# %%
from sklearn.feature_extraction.text import CountVectorizer
import pandas as pd

# %%
recipes = [
    "fry onion and garlic in oil",
    "boil pasta with salt",
    "mix flour egg milk and salt",
    "roast onion potato and carrot in oil",
    "blend tomato garlic and basil",
    "bake flour butter sugar and egg",
    "chop onion tomato and cucumber",
    "whisk egg with sugar",
]

# %%
cv = CountVectorizer(stop_words=["and", "in", "with"], binary=True)
X = cv.fit_transform(recipes)
X

# %%
n_docs = len(X)
print(n_docs, "recipes,", len(cv.vocabulary_), "words")

# %% [repaired]
n_docs = X.shape[0]
print(n_docs, "recipes,", len(cv.vocabulary_), "words")

# %%
df_share = pd.Series(X.toarray().sum(axis=0) / n_docs, index=cv.get_feature_names_out())
df_share.sort_values(ascending=False).head(6)
