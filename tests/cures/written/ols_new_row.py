# group: data
# seen: 2026-11-29c
# fails: ValueError: shapes (1,2) and (3,) not aligned: 2 (dim 1) != 3 (dim 0)
# cause: add_constant() skips the constant for a frame of one row, as every column is constant there; it needs has_constant="add".
# holds: new.shape -> (1, 3)
# holds: list(new.columns) -> ['const', 'sqm', 'floor']
# holds: round(float(price.iloc[0]) / 1000) -> 268

# %% [markdown]
# ## Flat prices: simple OLS, then the price of *our* flat

# %%
import numpy as np, pandas as pd
import statsmodels.api as sm

# %%
rs = np.random.RandomState(8)
flats = pd.DataFrame({"sqm": rs.randint(30, 140, 80), "floor": rs.randint(0, 6, 80)})
flats["price"] = 40_000 + 3_100 * flats["sqm"] + 2_000 * flats["floor"] + rs.normal(0, 9_000, 80)
flats.head()

# %%
X = sm.add_constant(flats[["sqm", "floor"]])
res = sm.OLS(flats["price"], X).fit()
print(res.params)

# %%
# our flat
new = pd.DataFrame({"sqm": [72], "floor": [3]})
new = sm.add_constant(new)

# %% [repaired]
# our flat
new = pd.DataFrame({"sqm": [72], "floor": [3]})
new = sm.add_constant(new, has_constant="add")

# %%
print("R2 =", round(res.rsquared, 3))

# %%
price = res.predict(new)
print(f"we would pay about {price.iloc[0]:,.0f} EUR")
