# library: scikit-learn
# needs: numpy, pandas, sklearn
# compare: top_terms, topic_of_doc, similarity

# %%
import numpy as np
import pandas as pd
from sklearn.decomposition import NMF
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.pairwise import cosine_similarity

docs = [
    "the team won the cup final after extra time",
    "the striker scored two goals in the final",
    "parliament votes on the new tax law",
    "the minister defends the tax plan in parliament",
    "new telescope finds water on a distant planet",
    "the planet orbits its star in nine days says the telescope team",
    "coach praises goals and defence of the team",
    "law on taxes passes after a long vote",
]
pd.Series(docs, name="headline").to_csv("news.csv", index=False)

# %%
news = pd.read_csv("news.csv")
news["n_chars"] = news["headline"].str.len()
news.describe()

# %%
tfidf = TfidfVectorizer(stop_words="english", min_df=1, max_df=0.9)
dtm = tfidf.fit_transform(news["headline"])
feature_names = tfidf.get_feature_names_out()
print(dtm.shape, len(feature_names))

# %%
nmf = NMF(n_components=3, random_state=0, init="nndsvd", max_iter=500)
W = nmf.fit_transform(dtm)
H = nmf.components_
top_terms = []
for topic in H:
    best = topic.argsort()[::-1][:3]
    top_terms.append([str(feature_names[i]) for i in best])
top_terms

# %%
topic_of_doc = W.argmax(axis=1)
news["topic"] = topic_of_doc
news.groupby("topic").size()

# %%
query = "tax vote in parliament"
sims = cosine_similarity(tfidf.transform([query]), dtm).ravel()
similarity = sims.round(4)
news.loc[sims.argmax(), "headline"]

