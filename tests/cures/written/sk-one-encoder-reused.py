# group: data
# seen: 2026-11-29
# fails: ValueError: y contains previously unseen labels: [2 3 4]
# order: 1, 2, 3, 4, 5, 3, 6
# cause: One LabelEncoder le is fitted on the habitat column in cell 3 and on the target in cell 4; cell 3 was run
#   again, so le knows habitats' codes when cell 6 turns predictions back into names.
# holds: sorted(set(names)) -> ['blackbird', 'heron', 'kestrel', 'robin', 'wren']
# holds: len(names) -> 60
# holds: X.shape -> (240, 2)

# %%
import numpy as np
import pandas as pd
from sklearn.preprocessing import LabelEncoder
from sklearn.tree import DecisionTreeClassifier
from sklearn.model_selection import train_test_split

# %%
rng = np.random.default_rng(5)
n = 240
birds = pd.DataFrame({
    "species": rng.choice(["blackbird", "heron", "kestrel", "robin", "wren"], n),
    "habitat": rng.choice(["field", "forest"], n),
})
size = birds["species"].map({"blackbird": 25, "heron": 95, "kestrel": 34, "robin": 14, "wren": 10})
birds["length"] = (size * rng.normal(1, .08, n)).round(1)
le = LabelEncoder()

# %%
birds["habitat_code"] = le.fit_transform(birds["habitat"])
birds["habitat_code"].mean()

# %% [repaired]
le_habitat = LabelEncoder()
birds["habitat_code"] = le_habitat.fit_transform(birds["habitat"])
birds["habitat_code"].mean()

# %%
y = le.fit_transform(birds["species"])
X = birds[["length", "habitat_code"]]
X_tr, X_te, y_tr, y_te = train_test_split(X, y, random_state=0)

# %%
tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X_tr, y_tr)
print("accuracy", tree.score(X_te, y_te))

# %%
names = le.inverse_transform(tree.predict(X_te))
pd.Series(names).value_counts()
