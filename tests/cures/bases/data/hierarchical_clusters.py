# library: scikit-learn
# needs: matplotlib, numpy, pandas, scipy, sklearn
# compare: labels, sil, merges, noise

# %%
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
import scipy.cluster.hierarchy as sch
from sklearn.cluster import AgglomerativeClustering, DBSCAN
from sklearn.datasets import make_blobs
from sklearn.metrics import silhouette_score

# %%
X, truth = make_blobs(n_samples=90, centers=[[0, 0], [6, 6], [0, 7]], cluster_std=0.9, random_state=12)
customers = pd.DataFrame(X, columns=['spend', 'visits'])
customers.plot.scatter(x='spend', y='visits')
plt.show()
customers.shape

# %%
Z = sch.linkage(customers, method='ward')
merges = Z[-3:, 2].round(3)
dendrogram = sch.dendrogram(Z, truncate_mode='lastp', p=10)
plt.title('Dendrogram')
plt.ylabel('Euclidean distances')
plt.show()

# %%
hc = AgglomerativeClustering(n_clusters=3, linkage='ward')
customers['cluster'] = hc.fit_predict(customers[['spend', 'visits']])
labels = customers['cluster'].value_counts().tolist()
sil = round(silhouette_score(customers[['spend', 'visits']], customers['cluster']), 4)
print(labels, sil)

# %%
db = DBSCAN(eps=1.1, min_samples=4).fit(customers[['spend', 'visits']])
noise = int((db.labels_ == -1).sum())
n_clusters_ = len(set(db.labels_)) - (1 if -1 in db.labels_ else 0)
print('clusters', n_clusters_, 'noise', noise)

# %%
centers = customers.groupby('cluster')[['spend', 'visits']].mean()
plt.scatter(customers['spend'], customers['visits'], c=customers['cluster'], cmap='rainbow', s=15)
plt.scatter(centers['spend'], centers['visits'], marker='x', c='black')
plt.close()
pd.crosstab(truth, customers['cluster'])

