# library: pandas
# needs: matplotlib, numpy, pandas
# compare: busiest_hour, by_weekday, base_share, cross, cleaned_len

# %%
import pandas as pd
import numpy as np

# %%
import matplotlib.pyplot as plt

# %%
np.random.seed(914)
n = 700
stamps = pd.Timestamp('2014-04-01') + pd.to_timedelta(np.sort(np.random.randint(0, 28 * 24 * 60, n)), unit='min')
u = pd.DataFrame({'Date/Time': stamps.strftime('%-m/%-d/%Y %H:%M:00'),
                  'Lat': 40.75 + np.random.randn(n) * 0.04,
                  'Lon': -73.97 + np.random.randn(n) * 0.05,
                  'Base': np.random.choice(['B02512', 'B02598', 'B02617'], n, p=[.2, .5, .3])})
u.iloc[5:8, 1] = np.nan
u.to_csv('uber-raw-data-apr14.csv', index=False)

# %% [markdown]
# Load CSV file into memory

# %%
data = pd.read_csv('uber-raw-data-apr14.csv')
data.tail()

# %%
type(data['Date/Time'][0])

# %% [markdown]
# Convert datetime and add some useful columns

# %%
data['Date/Time'] = pd.to_datetime(data['Date/Time'])
data.dtypes

# %%
data = data.dropna()
cleaned_len = len(data)
data['dom'] = data['Date/Time'].map(lambda dt: dt.day)
data['weekday'] = data['Date/Time'].map(lambda dt: dt.weekday())
data['hour'] = data['Date/Time'].map(lambda dt: dt.hour)
data.head()

# %% [markdown]
# # Analysis
# ### Analyze the date of month

# %%
plt.hist(data.dom, bins=28, rwidth=.8, range=(0.5, 28.5))
plt.xlabel('date of the month')
plt.ylabel('frequency')
plt.title('Frequency by DoM - uber - Apr 2014')
plt.show()

# %%
def count_rows(rows):
    return len(rows)

by_date = data.groupby('dom')['Lat'].apply(count_rows)
by_date.sort_values().tail(3)

# %% [markdown]
# ### Analyze the hour

# %%
busiest_hour = data['hour'].value_counts().sort_index().idxmax()
busiest_hour

# %%
names = 'Mon Tue Wed Thu Fri Sat Sun'.split()
by_weekday = data['weekday'].value_counts().reindex(range(7))
by_weekday.index = names
by_weekday.plot.bar(color='.5')
plt.show()

# %%
cross = data.groupby('weekday hour'.split())['Base'].apply(count_rows).unstack(fill_value=0)
cross.shape

# %%
base_share = (data['Base'].value_counts(normalize=True) * 100).round(2).to_dict()
base_share

# %%
center = data[['Lat', 'Lon']].mean()
dist = np.sqrt(((data[['Lat', 'Lon']] - center) ** 2).sum(axis=1))
print('far away:', (dist > 0.12).sum())

