# library: scikit-learn
# needs: matplotlib, numpy, sklearn
# compare: best, accuracy, wrong

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn import datasets, metrics, svm
from sklearn.model_selection import GridSearchCV, train_test_split

digits = datasets.load_digits()
n_samples = 300
images = digits.images[:n_samples]
labels = digits.target[:n_samples]
images.shape

# %%
fig, axes = plt.subplots(2, 5, figsize=(6, 3))
for ax, im, lab in zip(axes.ravel(), images, labels):
    ax.imshow(im, cmap="gray_r")
    ax.set_title(lab)
    ax.axis("off")
plt.show()

# %%
data = images.reshape((n_samples, -1)) / 16.0
X_train, X_test, y_train, y_test = train_test_split(data, labels, test_size=0.4, shuffle=False)
print(X_train.shape, y_train.shape)

# %%
grid = GridSearchCV(svm.SVC(), {"C": [1, 10], "gamma": [0.01, 0.1]}, cv=3)
grid.fit(X_train, y_train)
best = grid.best_params_
print(best, round(grid.best_score_, 3))

# %%
predicted = grid.best_estimator_.predict(X_test)
accuracy = metrics.accuracy_score(y_test, predicted)
wrong = np.flatnonzero(predicted != y_test)
print(len(wrong), "mistakes of", len(y_test))

# %%
disp = metrics.ConfusionMatrixDisplay.from_predictions(y_test, predicted)
disp.figure_.suptitle("Confusion matrix")
plt.close("all")

