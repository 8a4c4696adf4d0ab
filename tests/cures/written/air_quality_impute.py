# group: data
# seen: 2026-11-29b
# fails: ValueError: Shape of passed values is (6, 3), indices imply (6, 4)
# cause: SimpleImputer drops a column that has no value at all (ozone), so the result has fewer columns than df.
# holds: round(float(clean["no2"].mean()), 2) -> 22.5
# holds: float(clean.loc[3, "pm10"]) -> 30.0
# holds: int(clean[["no2", "pm10", "temp"]].isna().sum().sum()) -> 0
# holds: float(clean["temp"].max()) -> 9.0

# %%
import numpy as np
import pandas as pd
from sklearn.impute import SimpleImputer

nan = np.nan

# %%
# one week at the crossroads. The ozone probe had no power, the others just skip now and then
df = pd.DataFrame({
    "no2":   [20, 25, nan, 30, 15, 22.5],
    "ozone": [nan] * 6,
    "pm10":  [28, 30, 26, nan, 34, 32],
    "temp":  [5, nan, 7, 9, 6, 8],
})
df.isna().sum()

# %%
imp = SimpleImputer(strategy="mean")
filled = imp.fit_transform(df)

# %%
clean = pd.DataFrame(filled, columns=df.columns)
clean.head()

# %% [repaired]
clean = pd.DataFrame(filled, columns=imp.get_feature_names_out())
clean.head()

# %%
print(clean.corr().loc["no2", "pm10"].round(2))
clean.describe().T
