# group: data
# seen: 2026-11-29e
# fails: ValueError: shapes (1,2) and (3,) not aligned: 2 (dim 1) != 3 (dim 0)
# cause: add_constant skips the constant for a frame of one row, since each column is constant there; has_constant="add" is needed.
# holds: list(Xn.columns) -> ['const', 'sqm', 'floor']
# holds: round(float(fit.params["sqm"])) -> 11
# holds: 1200 < float(pred.iloc[0]) < 1400 -> True

# %%
import numpy as np
import pandas as pd
import statsmodels.api as sm

# %%
rs = np.random.RandomState(8)
n = 150
flats = pd.DataFrame({"sqm": rs.uniform(25, 120, n), "floor": rs.randint(0, 6, n)})
flats["rent"] = 200 + 11 * flats.sqm + 20 * flats.floor + rs.normal(0, 30, n)
flats.head()

# %%
X = sm.add_constant(flats[["sqm", "floor"]])
fit = sm.OLS(flats["rent"], X).fit()
print(fit.params.round(2))

# %%
print("R2 =", round(fit.rsquared, 3))

# %%
# the flat in Lindenstr.: 90 sqm, 4th floor
new = pd.DataFrame({"sqm": [90.0], "floor": [4]})
Xn = sm.add_constant(new)
pred = fit.predict(Xn)
pred

# %% [repaired]
# the flat in Lindenstr.: 90 sqm, 4th floor
new = pd.DataFrame({"sqm": [90.0], "floor": [4]})
Xn = sm.add_constant(new, has_constant="add")
pred = fit.predict(Xn)
pred

# %%
print(f"expected rent {pred.iloc[0]:.0f}")
