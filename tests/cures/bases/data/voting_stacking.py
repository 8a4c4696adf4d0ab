# library: scikit-learn
# needs: numpy, pandas, sklearn
# compare: results, y_vote, confusion

# %%
from sklearn.datasets import load_wine
from sklearn.ensemble import VotingClassifier, StackingClassifier, AdaBoostClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MinMaxScaler
import sklearn.model_selection as ms
import pandas as pd, numpy as np

# %%
wine = load_wine()
X = pd.DataFrame(wine['data'], columns=wine['feature_names'])
y = pd.Series(wine['target']).map(dict(enumerate(wine['target_names'])))
y.value_counts()

# %%
X_train, X_test, y_train, y_test = ms.train_test_split(X, y, test_size=.35, random_state=99, stratify=y)
mm = MinMaxScaler().fit(X_train)
X_train, X_test = mm.transform(X_train), mm.transform(X_test)

# %%
lr = LogisticRegression(max_iter=200)
nb = GaussianNB()
knn = KNeighborsClassifier(7, weights='distance')
voting = VotingClassifier([('lr', lr), ('nb', nb), ('knn', knn)], voting='soft')
stack = StackingClassifier([('nb', nb), ('knn', knn)], final_estimator=LogisticRegression(), cv=3)

# %%
results = {}
for clf in (lr, nb, knn, voting, stack, AdaBoostClassifier(n_estimators=10, random_state=0)):
    clf.fit(X_train, y_train)
    results[type(clf).__name__] = round(clf.score(X_test, y_test), 4)
pd.Series(results).sort_values(ascending=False)

# %%
y_vote = voting.predict(X_test)
confusion = pd.crosstab(y_test.values, y_vote, rownames=['true'], colnames=['predicted'])
confusion

