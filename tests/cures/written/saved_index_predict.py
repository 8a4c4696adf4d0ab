# group: data
# seen: 2026-11-29d
# fails: ValueError: The feature names should match those that were passed during fit.
# cause: the new measurements are written with their index, which comes back as the column "Unnamed: 0" that the model
#   never saw; write with index=False.
# holds: list(new.columns) -> ['ph', 'temp', 'flow']
# holds: pred.shape -> (25,)
# holds: model.n_features_in_ -> 3

# %%
import os, tempfile
import numpy as np
import pandas as pd
from sklearn.ensemble import ExtraTreesRegressor

# %%
folder = tempfile.mkdtemp()
rs = np.random.RandomState(10)
def measure(n):
    return pd.DataFrame({"ph": rs.normal(7, .5, n), "temp": rs.normal(18, 3, n), "flow": rs.gamma(2, 1, n)})

train = measure(150)
o2 = 12 - .2 * train["temp"] + .4 * train["flow"] + rs.normal(0, .2, 150)

# %%
model = ExtraTreesRegressor(30, random_state=1).fit(train, o2)
model.score(train, o2)

# %%
# colleague's part: measurements of this week
measure(25).to_csv(os.path.join(folder, "week.csv"))

# %% [repaired]
# colleague's part: measurements of this week
measure(25).to_csv(os.path.join(folder, "week.csv"), index=False)

# %%
new = pd.read_csv(os.path.join(folder, "week.csv"))
print(new.shape)

# %%
pred = model.predict(new)
pd.Series(pred).describe()
