# group: data
# seen: 2026-11-29
# fails: ValueError: Invalid parameter 'C' for estimator Pipeline(steps=[('standardscaler', StandardScaler()), ('svc', SVC())]). Valid parameters are: ['memory', 'steps', 'transform_input', 'verbose'].
# cause: The grid of cell 4 names the parameters of the classifier without the pipeline step's prefix (C, gamma).
# holds: sorted(search.best_params_.values()) -> [0.01, 10]
# holds: round(float(search.best_score_),3) -> 0.979
# holds: type(search.best_estimator_).__name__ -> 'Pipeline'

# %%
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV, StratifiedKFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

# %%
X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)

# %%
pipe = make_pipeline(StandardScaler(), SVC())
pipe.fit(X_train, y_train).score(X_test, y_test)

# %%
param_grid = {
    "C": [0.1, 1, 10],
    "gamma": [0.001, 0.01, 0.1],
}
cv = StratifiedKFold(4, shuffle=True, random_state=0)

# %% [repaired]
param_grid = {
    "svc__C": [0.1, 1, 10],
    "svc__gamma": [0.001, 0.01, 0.1],
}
cv = StratifiedKFold(4, shuffle=True, random_state=0)

# %%
search = GridSearchCV(pipe, param_grid, cv=cv)
search.fit(X_train, y_train)

# %%
print(search.best_params_, search.score(X_test, y_test))
