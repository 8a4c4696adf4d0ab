# group: data
# seen: 2026-11-29b
# fails: ValueError: Invalid parameter 'C' for estimator Pipeline(steps=[('scale', StandardScaler()), ('clf', SVC())]). Valid parameters are: ['memory', 'steps', 'transform_input', 'verbose'].
# cause: in a pipeline the parameters of a step need its name and two underscores (clf__C), here they are the SVC's bare names.
# holds: len(gs.cv_results_["params"]) -> 6
# holds: bool(gs.best_score_ > 0.85) -> True
# holds: gs.best_estimator_.named_steps["clf"].C in (0.1, 1, 10) -> True

# %%
from sklearn.datasets import make_moons
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

X, y = make_moons(n_samples=120, noise=0.15, random_state=0)
X.shape, y.mean()

# %%
pipe = Pipeline([
    ("scale", StandardScaler()),
    ("clf", SVC()),
])

# %%
params = {
    "C": [0.1, 1, 10],
    "kernel": ["linear", "rbf"],
}

# %% [repaired]
params = {
    "clf__C": [0.1, 1, 10],
    "clf__kernel": ["linear", "rbf"],
}

# %%
gs = GridSearchCV(pipe, params, cv=3)
gs.fit(X, y)

# %%
print(gs.best_params_)
print("CV accuracy: %.3f" % gs.best_score_)
