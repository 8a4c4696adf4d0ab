# group: data
# seen: 2026-11-30g
# fails: ValueError: Pandas data cast to numpy dtype of object. Check input data with np.asarray(data).
# cause: transposing a table which has a text row too (the source) makes all columns object; after dropping that row's column they
#   must be turned into numbers.
# holds: res.nobs -> 6.0
# holds: res.params.index.tolist() -> ['const', 'invest']
# holds: round(float(res.params["invest"]), 1) -> 2.0

# %%
import pandas as pd, numpy as np
import statsmodels.api as sm

# %%
# layout as downloaded: one column per year, one row per indicator
wide = pd.DataFrame({
    "indicator": ["gdp", "invest", "source"],
    "2015": [100.2, 20.0, "WB"], "2016": [104.1, 22.0, "WB"], "2017": [107.8, 24.0, "WB"],
    "2018": [113.9, 27.0, "OECD"], "2019": [116.3, 28.0, "OECD"], "2020": [109.7, 25.0, "OECD"],
}).set_index("indicator")
wide

# %%
wb = wide.T.drop(columns="source")
wb.index = wb.index.astype(int)
wb.head(2)

# %% [repaired]
wb = wide.T.drop(columns="source").astype(float)
wb.index = wb.index.astype(int)
wb.head(2)

# %%
# numbers look fine in the table, no strings anywhere
y = wb["gdp"]
X = sm.add_constant(wb[["invest"]])

# %%
res = sm.OLS(y, X).fit()

# %%
print(res.params)
print("R2 = %.3f" % res.rsquared)
