# group: data
# seen: 2026-11-30g
# fails: NotFittedError: This RandomForestClassifier instance is not fitted yet. Call 'fit' with appropriate arguments before using this estimator.
# cause: cross_val_score fits clones and leaves the model itself unfitted; it has to be fitted on the training data before predict.
# holds: hasattr(rf, "estimators_") -> True
# holds: len(submission) -> 60
# holds: float((submission["Survived"] == truth).mean()) > 0.8 -> True

# %%
import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score

# %%
rng = np.random.default_rng(1912)
full = pd.DataFrame({"Pclass": rng.integers(1, 4, 260), "Sex": rng.integers(0, 2, 260), "Fare": rng.gamma(2, 15, 260)})
full["Survived"] = ((full.Sex == 1) & (full.Pclass < 3)).astype(int)
train, test = full.iloc[:200].copy(), full.iloc[200:].drop(columns="Survived")
truth = full["Survived"].iloc[200:].to_numpy()

# %%
cols = ["Pclass", "Sex", "Fare"]
rf = RandomForestClassifier(n_estimators=30, random_state=0)
scores = cross_val_score(rf, train[cols], train["Survived"], cv=5)
print("CV: %.3f +/- %.3f" % (scores.mean(), scores.std()))

# %% [repaired]
cols = ["Pclass", "Sex", "Fare"]
rf = RandomForestClassifier(n_estimators=30, random_state=0)
scores = cross_val_score(rf, train[cols], train["Survived"], cv=5)
print("CV: %.3f +/- %.3f" % (scores.mean(), scores.std()))
rf.fit(train[cols], train["Survived"])

# %%
# model is trained, now the submission
pred = rf.predict(test[cols])

# %%
submission = pd.DataFrame({"PassengerId": test.index + 1, "Survived": pred})
submission.to_csv("submission.csv", index=False)
submission.head()
