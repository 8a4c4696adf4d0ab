# group: data
# seen: 2026-11-29
# fails: ValueError: The feature names should match those that were passed during fit.
# cause: prepare() calls get_dummies on train and test each by itself; the test rows lack a fuel ("hybrid"), so
#   their columns differ from those seen in fit.
# holds: X_te.shape -> (70, 8)
# holds: list(X_te.columns) == list(X_tr.columns) -> True
# holds: round(float(r2),3) -> 0.949

# %%
import numpy as np, pandas as pd
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.metrics import r2_score

# %%
rng = np.random.default_rng(12)
n = 350
cars = pd.DataFrame({
    "km": rng.integers(5, 200, n) * 1000,
    "year": rng.integers(2008, 2024, n),
    "fuel": rng.choice(["petrol", "diesel", "electric"], n),
    "gear": rng.choice(["manual", "auto"], n),
})
cars.loc[:9, "fuel"] = "hybrid"
cars["price"] = 4000 + 900 * (cars.year - 2005) - .03 * cars.km + 3000 * (cars.fuel == "electric") + rng.normal(0, 800, n)
train, test = cars.iloc[:280], cars.iloc[280:]

# %%
def prepare(df):
    out = df.drop(columns="price")
    out = out.assign(age=2024 - out["year"]).drop(columns="year")
    return pd.get_dummies(out, columns=["fuel", "gear"], dtype=int)

# %%
train["fuel"].value_counts()

# %%
X_tr = prepare(train)
X_te = prepare(test)
gb = GradientBoostingRegressor(random_state=0)
gb.fit(X_tr, train["price"])

# %% [repaired]
X_tr = prepare(train)
X_te = prepare(test).reindex(columns=X_tr.columns, fill_value=0)
gb = GradientBoostingRegressor(random_state=0)
gb.fit(X_tr, train["price"])

# %%
pred = gb.predict(X_te)
r2 = r2_score(test["price"], pred)
r2
