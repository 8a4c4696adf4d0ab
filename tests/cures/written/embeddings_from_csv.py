# group: data
# seen: 2026-11-30g
# fails: ValueError: could not convert string to float: np.str_('[0.9, 0.1, 0.0]')
# cause: the lists in the column were written as text by to_csv, and read_csv gives them back as strings; they have to be
#   parsed (json.loads / ast.literal_eval) after reading.
# holds: E.shape -> (3, 3)
# holds: best -> 'change email'

# %%
import numpy as np
import pandas as pd
from sklearn.metrics.pairwise import cosine_similarity

# %%
# embeddings cost money, so compute once and save
faq = pd.DataFrame({"question": ["reset password", "change email", "delete account"]})
faq["embedding"] = [[0.9, 0.1, 0.0], [0.2, 0.8, 0.1], [0.0, 0.3, 0.9]]
faq.to_csv("faq_emb.csv", index=False)

# %%
faq = pd.read_csv("faq_emb.csv")
faq.head()

# %% [repaired]
import ast
faq = pd.read_csv("faq_emb.csv")
faq["embedding"] = faq["embedding"].apply(ast.literal_eval)
faq.head()

# %%
query = np.array([[0.1, 0.9, 0.0]])
E = np.array(faq["embedding"].tolist())
sims = cosine_similarity(E, query)

# %%
best = faq["question"].iloc[int(sims[:, 0].argmax())]
print("most similar:", best)
