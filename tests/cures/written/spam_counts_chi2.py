# group: data
# seen: 2026-11-30f
# fails: ValueError: Input X must be non-negative.
# cause: the features were standardised, which gives negative values, before SelectKBest(chi2), which wants non-negative ones; a 0..1 scaling is needed.
# holds: bool(Xs.min() >= 0) -> True
# holds: Xk.shape -> (250, 3)
# holds: list(chosen) -> ['n_links', 'n_caps', 'n_exclaim']

# %%
import numpy as np
import pandas as pd
from sklearn.preprocessing import StandardScaler, MinMaxScaler
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.naive_bayes import MultinomialNB

# %%
rng = np.random.default_rng(15)
n = 250
spam = rng.integers(0, 2, n)
mails = pd.DataFrame({
    "n_links": rng.poisson(1 + 3 * spam),
    "n_caps": rng.poisson(4 + 8 * spam),
    "n_words": rng.integers(20, 300, n),
    "hour": rng.integers(0, 24, n),
    "n_exclaim": rng.poisson(.5 + 2 * spam),
})
mails.describe().T

# %%
# everything on one scale first, chi2 / naive bayes come afterwards
Xs = StandardScaler().fit_transform(mails)

# %% [repaired]
# everything on one scale first, chi2 / naive bayes come afterwards
Xs = MinMaxScaler().fit_transform(mails)

# %%
sel = SelectKBest(chi2, k=3)
Xk = sel.fit_transform(Xs, spam)
chosen = mails.columns[sel.get_support()]
print(list(chosen))

# %%
nb = MultinomialNB().fit(Xk, spam)
print(nb.score(Xk, spam))
