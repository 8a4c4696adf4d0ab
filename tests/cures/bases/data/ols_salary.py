# library: statsmodels
# needs: numpy, pandas, statsmodels
# compare: params, r2, anova_f

# %%
import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf

# %%
rng = np.random.default_rng(15)
n = 120
salary = pd.DataFrame({
    "years": rng.integers(0, 31, n),
    "degree": rng.choice(["BSc", "MSc", "PhD"], n, p=[.5, .35, .15]),
    "city": rng.choice(["A", "B"], n),
})
bonus = salary["degree"].map({"BSc": 0, "MSc": 4, "PhD": 9})
salary["pay"] = 32 + 1.1 * salary["years"] + bonus + rng.normal(0, 3, n)
salary.to_csv("salary.csv", index=False)
salary.groupby("degree")["pay"].mean()

# %%
df = pd.read_csv("salary.csv")
X = sm.add_constant(df[["years"]])
simple = sm.OLS(df["pay"], X).fit()
simple.params

# %%
full = smf.ols("pay ~ years + C(degree) + city", data=df).fit()
print(full.summary().tables[1])

# %%
params = full.params.round(4)
r2 = round(full.rsquared_adj, 4)
conf = full.conf_int()
conf.columns = ["low", "high"]
conf.loc["years"]

# %%
anova = sm.stats.anova_lm(simple, full)
anova_f = round(anova["F"].iloc[1], 3)
new = pd.DataFrame({"years": [5, 20], "degree": ["MSc", "PhD"], "city": ["A", "A"]})
full.predict(new).round(1)

