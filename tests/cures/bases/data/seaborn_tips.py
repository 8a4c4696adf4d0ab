# library: seaborn
# needs: matplotlib, numpy, pandas, seaborn
# compare: pct, order, facet_titles

# %%
import seaborn as sns
import pandas as pd
import numpy as np
from matplotlib import pyplot as plt

# %%
np.random.seed(30)
tips = pd.DataFrame({
    'total_bill': np.random.gamma(5, 4, 90).round(2),
    'day': np.random.choice(['Thur', 'Fri', 'Sat', 'Sun'], 90),
    'time': np.random.choice(['Lunch', 'Dinner'], 90, p=[.3, .7]),
    'smoker': np.random.choice(['Yes', 'No'], 90),
    'size': np.random.randint(1, 7, 90),
})
tips['tip'] = (tips['total_bill'] * np.random.uniform(.1, .22, 90)).round(2)
tips.head()

# %%
tips['pct'] = tips['tip'] / tips['total_bill'] * 100
order = tips.groupby('day')['pct'].median().sort_values().index.tolist()
sns.violinplot(x='day', y='pct', data=tips, order=order)
plt.ylim(0, 30)
plt.show()

# %%
g = sns.FacetGrid(tips, col='time', hue='smoker', height=3)
g.map(plt.scatter, 'total_bill', 'tip', s=12)
g.add_legend()
facet_titles = [ax.get_title() for ax in g.axes.flat]
plt.show()

# %%
sns.regplot(x='size', y='total_bill', data=tips, x_jitter=.1, ci=None)
plt.close()

# %%
counts = tips.groupby(['day', 'smoker']).size().unstack()
sns.heatmap(counts, annot=True, fmt='d')
plt.title('smokers per day')
plt.close()
pct = tips.groupby('time')['pct'].mean().round(2)
pct

