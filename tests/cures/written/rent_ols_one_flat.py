# group: data
# seen: 2026-11-29b
# fails: ValueError: shapes (1,2) and (3,) not aligned: 2 (dim 1) != 3 (dim 0)
# cause: with a single row every column is constant already, so add_constant adds none by default; has_constant="add" is needed.
# holds: round(float(np.asarray(guess)[0]), 2) -> 810.0
# holds: np.asarray(new).shape -> (1, 3)

# %%
import numpy as np
import pandas as pd
import statsmodels.api as sm

# %%
d = pd.DataFrame({
    "size": [30, 45, 50, 62, 70, 81, 90, 33, 58],
    "floor": [0, 3, 1, 2, 5, 4, 0, 2, 1],
})
d["rent"] = 300 + 8 * d["size"] + 15 * d["floor"]
d.head()

# %%
X = sm.add_constant(d[["size", "floor"]])
fit = sm.OLS(d["rent"], X).fit()
print(fit.params.round(2))

# %%
# what should my flat cost?
mine = pd.DataFrame({"size": [60], "floor": [2]})
new = sm.add_constant(mine)
new

# %% [repaired]
# what should my flat cost?
mine = pd.DataFrame({"size": [60], "floor": [2]})
new = sm.add_constant(mine, has_constant="add")
new

# %%
guess = fit.predict(new)
guess
