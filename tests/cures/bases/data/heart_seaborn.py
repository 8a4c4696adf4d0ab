# library: seaborn
# needs: matplotlib, numpy, pandas, seaborn
# compare: corr_target, count_labels, melted_shape, bins

# %%
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
import seaborn as sns
sns.set_style('darkgrid')
sns.set_palette('Set2')

# %%
np.random.seed(303)
n = 110
heart = pd.DataFrame({
    'age': np.random.randint(29, 77, n),
    'sex': np.random.randint(0, 2, n),
    'cp': np.random.choice([0, 1, 2, 3], n, p=[.5, .15, .25, .1]),
    'chol': np.random.normal(246, 50, n).astype(int),
    'thalach': np.random.normal(150, 22, n).astype(int),
})
heart['target'] = ((heart['thalach'] > 150) ^ (np.random.rand(n) < .2)).astype(int)
heart.to_csv('heart.csv', index=False)

# %%
df = pd.read_csv('heart.csv')
df.rename(columns={'cp': 'chest_pain', 'thalach': 'max_hr'}, inplace=True)
df['sex'] = df['sex'].map({0: 'female', 1: 'male'})
df.head()

# %%
ax = sns.countplot(x='target', hue='sex', data=df)
ax.set_xticks([0, 1], labels=['healthy', 'disease'])
count_labels = [t.get_text() for t in ax.get_xticklabels()]
plt.show()

# %%
plt.figure(figsize=(6, 4))
sns.kdeplot(data=df, x='max_hr', hue='target', fill=True, common_norm=False)
plt.axvline(df['max_hr'].mean(), ls='--', c='k')
plt.show()

# %%
corr = df.drop(columns='sex').corr()
mask = np.triu(np.ones_like(corr, dtype=bool))
sns.heatmap(corr, mask=mask, annot=True, fmt='.2f', center=0)
corr_target = corr['target'].drop('target').abs().sort_values(ascending=False).round(4)
corr_target

# %%
melted = df.melt(id_vars='target', value_vars=['age', 'chol', 'max_hr'])
melted_shape = melted.shape
sns.catplot(data=melted, x='target', y='value', col='variable', kind='box', sharey=False, height=3)
plt.close('all')
bins = pd.cut(df['age'], bins=[20, 40, 55, 80]).value_counts(sort=False).tolist()
bins

