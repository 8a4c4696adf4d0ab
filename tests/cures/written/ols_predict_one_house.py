# group: data
# seen: 2026-11-30g
# fails: ValueError: shapes (1,1) and (2,) not aligned: 1 (dim 1) != 2 (dim 0)
# cause: add_constant leaves a one-row table as it is, since its columns look constant already; has_constant="add" forces the
#   intercept column.
# holds: x0.shape -> (1, 2)
# holds: x0.columns.tolist() -> ['const', 'sqm']
# holds: abs(float(price0.iloc[0]) - 290) < 15 -> True

# %%
import numpy as np
import pandas as pd
import statsmodels.api as sm

# %%
np.random.seed(0)
sqm = np.random.uniform(40, 200, 60)
houses = pd.DataFrame({"sqm": sqm, "price": 50 + 2.0 * sqm + np.random.normal(0, 8, 60)})
houses.describe()

# %%
X = sm.add_constant(houses[["sqm"]])
model = sm.OLS(houses["price"], X).fit()
print(model.params)

# %%
# now my own flat: 120 m2
x0 = pd.DataFrame({"sqm": [120.0]})
x0 = sm.add_constant(x0)   # yes I did add the constant!

# %% [repaired]
# now my own flat: 120 m2
x0 = pd.DataFrame({"sqm": [120.0]})
x0 = sm.add_constant(x0, has_constant="add")   # yes I did add the constant!

# %%
price0 = model.predict(x0)
print(price0)
