# group: data
# seen: 2026-11-30h
# fails: ValueError: Invalid parameter 'C' for estimator Pipeline(steps=[('standardscaler', StandardScaler()), ('svc', SVC())]). Valid parameters are: ['memory', 'steps', 'transform_input', 'verbose'].
# cause: in a pipeline the parameters of the grid need the step's name as prefix: svc__C, svc__gamma.
# holds: sorted(gs.best_params_) -> ['svc__C', 'svc__gamma']
# holds: len(gs.cv_results_["params"]) -> 6
# holds: bool(gs.best_score_ > 0.9) -> True

# %%
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
import pandas as pd

# %%
X, y = load_iris(return_X_y=True, as_frame=True)
X.head(3)

# %%
pipe = make_pipeline(StandardScaler(), SVC())
pipe

# %%
grid = {"C": [0.1, 1, 10], "gamma": ["scale", 0.1]}

# %% [repaired]
grid = {"svc__C": [0.1, 1, 10], "svc__gamma": ["scale", 0.1]}

# %%
gs = GridSearchCV(pipe, grid, cv=5)
gs.fit(X, y)
print(gs.best_params_, gs.best_score_)

# %%
pd.DataFrame(gs.cv_results_)[["params", "mean_test_score"]]
