# library: scipy
# needs: numpy, pandas, scipy, statsmodels
# compare: table, p_chi2, ci, n_needed

# %%
import numpy as np
import pandas as pd
from scipy.stats import chi2_contingency, norm
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.proportion import proportions_ztest, proportion_effectsize

# %%
np.random.seed(2)
ab = pd.DataFrame({
    'user_id': np.random.permutation(np.arange(600000, 602000)),
    'group': np.where(np.random.rand(2000) < .5, 'control', 'treatment'),
})
ab['landing_page'] = ab['group'].map({'control': 'old_page', 'treatment': 'new_page'})
ab['converted'] = (np.random.rand(2000) < np.where(ab['group'] == 'control', .11, .14)).astype(int)
ab.to_csv('ab_data.csv', index=False)

# %%
df2 = pd.read_csv('ab_data.csv')
print(df2.shape, df2['user_id'].nunique())
df2.head()

# %%
table = pd.crosstab(df2['group'], df2['converted'])
table

# %%
chi2, p_chi2, dof, expected = chi2_contingency(table)
z, p_z = proportions_ztest(count=table[1].values, nobs=table.sum(axis=1).values)
print(f'chi2 p={p_chi2:.4f}   z={z:.2f} p={p_z:.4f}')

# %%
p1 = df2.query("group == 'control'")['converted'].mean()
p2 = df2.query("group == 'treatment'")['converted'].mean()
n1, n2 = table.sum(axis=1)
se = np.sqrt(p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2)
ci = np.round([p2 - p1 - norm.ppf(.975) * se, p2 - p1 + norm.ppf(.975) * se], 4)
ci

# %%
effect = proportion_effectsize(0.11, 0.13)
n_needed = int(np.ceil(NormalIndPower().solve_power(effect_size=effect, alpha=0.05, power=0.8)))
print('needed per group:', n_needed)

