# group: data
# seen: 2026-11-29d
# fails: TypeError: float() argument must be a string or a real number, not 'Timedelta'
# cause: wait is a timedelta column, which cannot be mixed with numbers in the feature matrix; turn it into minutes
#   when it is made.
# holds: visits["wait"].dtype.kind -> 'f'
# holds: float(visits["wait"].iloc[0]) -> 26.0
# holds: reg.coef_.round(3).tolist() -> [-0.058, 0.014]

# %%
import numpy as np
import pandas as pd
from sklearn.linear_model import LinearRegression

# %%
rng = np.random.default_rng(61)
n = 60
arrive = pd.Timestamp("2025-02-03 08:00") + pd.to_timedelta(np.sort(rng.integers(0, 480, n)), unit="min")
visits = pd.DataFrame({"arrive": arrive})
visits["called"] = visits["arrive"] + pd.to_timedelta(rng.integers(3, 70, n), unit="min")
visits["age"] = rng.integers(5, 90, n)
visits.head()

# %%
visits["wait"] = visits["called"] - visits["arrive"]
print(visits["wait"].max())

# %% [repaired]
visits["wait"] = (visits["called"] - visits["arrive"]).dt.total_seconds() / 60
print(visits["wait"].max())

# %%
minutes = (visits["called"] - visits["arrive"]).dt.seconds / 60
visits["satisfaction"] = 9 - 0.06 * minutes + 0.01 * visits["age"] + rng.normal(0, .4, n)

# %%
features = visits[["wait", "age"]]
reg = LinearRegression()
reg.fit(features, visits["satisfaction"])
print(reg.coef_, reg.intercept_)
