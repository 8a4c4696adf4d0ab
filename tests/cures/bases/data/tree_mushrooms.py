# library: scikit-learn
# needs: pandas, sklearn
# compare: rules, depth, acc

# %%
import random
import pandas as pd
from sklearn.tree import DecisionTreeClassifier, export_text
from sklearn.preprocessing import OrdinalEncoder
from sklearn.metrics import accuracy_score

random.seed(13)

# %%
records = []
for i in range(200):
    odor = random.choice(["almond", "foul", "none"])
    cap = random.choice(["flat", "convex", "bell"])
    gill = random.choice(["broad", "narrow"])
    bad = odor == "foul" or (odor == "none" and gill == "narrow" and cap != "bell")
    records.append({"odor": odor, "cap": cap, "gill": gill, "class": "poisonous" if bad else "edible"})
mushrooms = pd.DataFrame(records)
mushrooms.to_json("mushrooms.jsonl", orient="records", lines=True)

# %%
data = pd.read_json("mushrooms.jsonl", lines=True)
data["class"].value_counts(normalize=True)

# %%
feature_cols = ["odor", "cap", "gill"]
enc = OrdinalEncoder()
X = pd.DataFrame(enc.fit_transform(data[feature_cols]), columns=feature_cols)
for col, cats in zip(feature_cols, enc.categories_):
    print(col, list(cats))

# %%
y = (data["class"] == "poisonous").astype("int8")
n_train = 150
tree = DecisionTreeClassifier(max_depth=4, criterion="entropy", random_state=0)
tree.fit(X.iloc[:n_train], y.iloc[:n_train])
depth = tree.get_depth()

# %%
rules = export_text(tree, feature_names=feature_cols)
print(rules)

# %%
acc = accuracy_score(y.iloc[n_train:], tree.predict(X.iloc[n_train:]))
acc

