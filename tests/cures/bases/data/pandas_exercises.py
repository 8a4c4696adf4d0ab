# library: pandas
# needs: numpy, pandas
# compare: a1, a2, a3, a4, a5, a6, a7

# %%
import pandas as pd
import numpy as np

data = {'animal': ['cat', 'cat', 'snake', 'dog', 'dog', 'cat', 'snake', 'cat', 'dog', 'dog'],
        'age': [2.5, 3, 0.5, np.nan, 5, 2, 4.5, np.nan, 7, 3],
        'visits': [1, 3, 2, 3, 2, 3, 1, 1, 2, 1],
        'priority': ['yes', 'yes', 'no', 'yes', 'no', 'no', 'no', 'yes', 'no', 'no']}
labels = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']

# %%
# 4. Create a DataFrame with the index labels
df = pd.DataFrame(data, index=labels)
df

# %%
# 6. first 3 rows
df.iloc[:3]

# %%
# 8. rows 3, 4, 8 and columns animal and age
df.loc[df.index[[3, 4, 8]], ['animal', 'age']]

# %%
# 11. cats younger than 3
a1 = df[(df['animal'] == 'cat') & (df['age'] < 3)]
a1

# %%
# 13. change the age in row 'f'
df.loc['f', 'age'] = 1.5
a2 = df['visits'].sum()
a2

# %%
# 15. mean age per animal
a3 = df.groupby('animal')['age'].mean()
a3

# %%
# 16. append a row k, then delete it
df.loc['k'] = ['dog', 5.5, 2, 'no']
df = df.drop('k')
df.shape

# %%
# 18. sort
a4 = df.sort_values(by=['age', 'visits'], ascending=[False, True])
a4.head()

# %%
# 19. yes/no to booleans, 20. snake to python
df['priority'] = df['priority'].map({'yes': True, 'no': False})
df['animal'] = df['animal'].replace('snake', 'python')
a5 = df['animal'].unique().tolist()
a5

# %%
# 21. mean age for animal x visits
a6 = df.pivot_table(index='animal', columns='visits', values='age', aggfunc='mean')
a6

# %%
# 24. subtract the row mean
df2 = pd.DataFrame(np.arange(15.0).reshape(5, 3), columns=list('xyz'))
a7 = df2.sub(df2.mean(axis=1), axis=0)
a7

