# library: scikit-learn
# needs: numpy, sklearn
# compare: scores, best_k, preds

# %%
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.metrics import accuracy_score
import numpy as np

# %%
iris = load_iris()
X = iris.data
y = iris.target
print(X.shape, y.shape)
print(iris.feature_names)

# %%
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, stratify=y, random_state=1)

# %%
scores = {}
for k in range(1, 16, 2):
    knn = KNeighborsClassifier(n_neighbors=k)
    cv = cross_val_score(knn, X_train, y_train, cv=5)
    scores[k] = round(cv.mean(), 4)
scores

# %%
best_k = max(scores, key=scores.get)
clf = KNeighborsClassifier(n_neighbors=best_k)
clf.fit(X_train, y_train)
preds = clf.predict(X_test)
print(f"k={best_k}  test accuracy {accuracy_score(y_test, preds):.3f}")

# %%
new_flower = np.array([[5.1, 3.4, 1.5, 0.2]])
label = clf.predict(new_flower)[0]
iris.target_names[label]

