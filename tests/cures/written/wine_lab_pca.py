# group: data
# seen: 2026-11-30f
# fails: ValueError: Input X contains NaN.
# cause: the cell that fills the missing lab values was skipped, so PCA sees NaN.
# order: 1, 2, 4, 5
# again: 1, 2, 3, 4, 5, 6
# holds: int(lab.isna().sum().sum()) -> 0
# holds: scores.shape -> (70, 2)
# holds: len(lab) -> 70

# %%
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

# %%
rs = np.random.RandomState(21)
base = rs.normal(size=(70, 2))
lab = pd.DataFrame(base @ rs.normal(size=(2, 5)) + .3 * rs.normal(size=(70, 5)),
                   columns=["alcohol", "ph", "sulphates", "density", "sugar"])
lab.loc[rs.choice(70, 6, replace=False), "sulphates"] = np.nan
lab.loc[rs.choice(70, 3, replace=False), "ph"] = np.nan
lab.info()

# %%
# some bottles were not measured -> median
lab = lab.fillna(lab.median())

# %%
Z = StandardScaler().fit_transform(lab)
Z.shape

# %%
pca = PCA(n_components=2)
scores = pca.fit_transform(Z)
print("explained:", pca.explained_variance_ratio_.round(2))

# %%
plt.scatter(scores[:, 0], scores[:, 1], c=lab["alcohol"])
plt.colorbar(label="alcohol")
plt.show()
