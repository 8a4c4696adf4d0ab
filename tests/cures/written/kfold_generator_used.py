# group: data
# seen: 2026-11-29c
# fails: ValueError: No objects to concatenate
# cause: KFold.split() gives a generator, which the loop that prints the fold sizes has used up; it has to be made a list to serve twice.
# holds: len(splits) -> 5
# holds: len(oof) -> 250
# holds: len(aucs) -> 5

# %%
import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.metrics import roc_auc_score

# %%
rng = np.random.default_rng(21)
churn = pd.DataFrame({"tenure": rng.integers(1, 60, 250), "calls": rng.poisson(2, 250)})
churn["left"] = (rng.random(250) < 1 / (1 + np.exp(0.06 * churn.tenure - 0.7 * churn.calls))).astype(int)
churn["left"].mean()

# %%
X, y = churn[["tenure", "calls"]].to_numpy(), churn["left"].to_numpy()
skf = StratifiedKFold(n_splits=5, shuffle=True, random_state=0)
splits = skf.split(X, y)

# %% [repaired]
X, y = churn[["tenure", "calls"]].to_numpy(), churn["left"].to_numpy()
skf = StratifiedKFold(n_splits=5, shuffle=True, random_state=0)
splits = list(skf.split(X, y))

# %%
for k, (tr, va) in enumerate(splits):
    print(f"fold {k}: {len(tr)} train / {len(va)} valid, {y[va].mean():.2f} leave")

# %%
aucs, preds = [], []
for tr, va in splits:
    p = GaussianNB().fit(X[tr], y[tr]).predict_proba(X[va])[:, 1]
    aucs.append(roc_auc_score(y[va], p))
    preds.append(pd.Series(p, index=va))

# %%
oof = pd.concat(preds).sort_index()
print("overall AUC", roc_auc_score(y, oof))
