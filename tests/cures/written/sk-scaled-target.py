# group: data
# seen: 2026-11-28
# fails: ValueError: Unknown label type: continuous. Maybe you are trying to fit a classifier, which expects discrete classes on a regression target with continuous values.
# cause: Cell 4 scales the whole frame to 0..1, the target quality among it (0, 0.5, 1): the classifier gets
#   continuous labels.
# holds: clf.n_classes_ if hasattr(clf,"n_classes_") else len(clf.classes_) -> 3
# holds: sorted(set(int(v) for v in y_te)) -> [0, 1, 2]
# holds: round(float(acc),2) -> 0.98

# %%
import pandas as pd
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import MinMaxScaler

# %%
wine = load_wine(as_frame=True).frame.rename(columns={"target": "quality"})
wine.info()

# %%
features = ["alcohol", "malic_acid", "flavanoids", "color_intensity", "proline"]
wine = wine[features + ["quality"]]
wine.corr()["quality"].round(2)

# %%
scaled = pd.DataFrame(MinMaxScaler().fit_transform(wine), columns=wine.columns)
scaled.describe().loc[["min", "max"]]

# %% [repaired]
scaled = wine.copy()
scaled[features] = MinMaxScaler().fit_transform(wine[features])
scaled.describe().loc[["min", "max"]]

# %%
X_tr, X_te, y_tr, y_te = train_test_split(scaled[features], scaled["quality"], random_state=4)

# %%
clf = RandomForestClassifier(80, random_state=0)
clf.fit(X_tr, y_tr)

# %%
acc = accuracy_score(y_te, clf.predict(X_te))
print(f"{acc:.3f}")
