# group: data
# seen: 2026-11-29d
# fails: KeyError: 'rmse'
# cause: the trailing comma after evaluate(...) makes each result a tuple with a dict in it, so the collected rows are no
#   dicts and the table has no column rmse.
# holds: list(board.columns) -> ['depth', 'leaves', 'rmse']
# holds: len(board) -> 5
# holds: int(board.sort_values("rmse").iloc[-1]["depth"]) -> 1

# %%
import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeRegressor
from sklearn.metrics import mean_squared_error

# %%
rng = np.random.RandomState(70)
x = np.sort(rng.uniform(0, 6, 160)).reshape(-1, 1)
y = np.sin(x).ravel() * 3 + rng.normal(0, .2, 160)
tr = rng.rand(160) < .7

# %%
def evaluate(depth):
    t = DecisionTreeRegressor(max_depth=depth, random_state=0).fit(x[tr], y[tr])
    rmse = mean_squared_error(y[~tr], t.predict(x[~tr])) ** .5
    return {"depth": depth, "leaves": t.get_n_leaves(), "rmse": rmse}

# %%
runs = []
for d in [1, 2, 3, 5, 8]:
    res = evaluate(d),
    runs.append(res)
print(len(runs), "runs")

# %% [repaired]
runs = []
for d in [1, 2, 3, 5, 8]:
    res = evaluate(d)
    runs.append(res)
print(len(runs), "runs")

# %%
board = pd.DataFrame(runs)

# %%
board.sort_values("rmse").head(3)
