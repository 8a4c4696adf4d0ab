# group: data
# seen: 2026-11-30f
# fails: SyntaxError: invalid syntax (<unknown>, line 1)
# cause: the column name "online ads" has a space and stands bare in the formula, which does not parse; it needs Q("online ads").
# holds: len(fit.params) -> 3
# holds: round(float(fit.params.iloc[2]), 1) -> 1.2
# holds: int(fit.nobs) -> 60

# %%
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf

# %%
r = np.random.default_rng(64)
ads = pd.DataFrame({"tv": r.uniform(0, 100, 60), "online ads": r.uniform(0, 50, 60)})
ads["sales"] = 20 + 0.5 * ads["tv"] + 1.2 * ads["online ads"] + r.normal(0, 2, 60)
ads.corr().round(2)

# %%
fit = smf.ols("sales ~ tv + online ads", data=ads).fit()

# %% [repaired]
fit = smf.ols('sales ~ tv + Q("online ads")', data=ads).fit()

# %%
print("R2 =", round(fit.rsquared, 3))
fit.params

# %%
ads["fitted"] = fit.fittedvalues
ads.head()
