# library: scikit-learn
# needs: matplotlib, numpy, pandas, sklearn
# compare: inertias, sizes, profile

# %%
import warnings
warnings.filterwarnings("ignore")

import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.preprocessing import MinMaxScaler

# %%
np.random.seed(20)
centers = [(25, 80), (85, 20), (55, 50)]
blocks = [np.random.normal(c, 7, size=(40, 2)) for c in centers]
pts = np.vstack(blocks).clip(1, 137).round()
mall = pd.DataFrame(pts, columns=["Annual Income (k$)", "Spending Score (1-100)"])
mall.insert(0, "Gender", np.random.choice(["Male", "Female"], len(mall)))
mall.to_csv("Mall_Customers.csv", index_label="CustomerID")

# %%
df = pd.read_csv("Mall_Customers.csv")
df.sample(5, random_state=1)

# %%
X = df[["Annual Income (k$)", "Spending Score (1-100)"]]
Xs = MinMaxScaler().fit_transform(X)
Xs[:3]

# %%
inertias = []
for k in range(1, 7):
    km = KMeans(n_clusters=k, n_init=5, random_state=0).fit(Xs)
    inertias.append(round(km.inertia_, 4))

plt.plot(range(1, 7), inertias, "bo-")
plt.xlabel("k")
plt.title("Elbow")
plt.show()

# %%
km = KMeans(n_clusters=3, n_init=5, random_state=0)
df["Cluster"] = km.fit_predict(Xs)
sizes = sorted(df["Cluster"].value_counts().tolist())
sizes

# %%
profile = df.groupby("Cluster").mean(numeric_only=True).drop(columns="CustomerID").round(1)
profile = profile.sort_values("Annual Income (k$)").reset_index(drop=True)
profile

