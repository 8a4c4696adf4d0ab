# library: pandas
# needs: numpy, pandas
# compare: vintage, default_rate, status_flow

# %%
import pandas as pd
import numpy as np
pd.set_option('display.max_columns', 20)

# %%
rng = np.random.default_rng(7007)
size = 200
loans = pd.DataFrame({
    'loan_id': [f'L{i:05d}' for i in range(size)],
    'issue_d': rng.choice(['Jan-2015', 'Apr-2015', 'Jul-2015', 'Oct-2015', 'Jan-2016'], size),
    'term': rng.choice([' 36 months', ' 60 months'], size),
    'int_rate': [f'{r:.2f}%' for r in rng.uniform(5, 24, size)],
    'emp_length': rng.choice(['< 1 year', '3 years', '10+ years', 'n/a'], size),
    'loan_status': rng.choice(['Fully Paid', 'Charged Off', 'Current'], size, p=[.6, .15, .25]),
})
loans.to_csv('loans.csv', index=False)

# %%
df = pd.read_csv('loans.csv', keep_default_na=False)
df.head()

# %%
df.nunique()

# %%
df['term'] = df['term'].str.extract(r'(\d+)').astype(int)
df['int_rate'] = df['int_rate'].str.rstrip('%').astype('float') / 100
df['issue_d'] = pd.to_datetime(df['issue_d'], format='%b-%Y')
df['emp_length'] = df['emp_length'].replace('n/a', np.nan).str.extract(r'(\d+)')[0].astype(float)
df.dtypes

# %%
df['bad'] = df['loan_status'].isin(['Charged Off', 'Default'])
vintage = df.groupby([df['issue_d'].dt.to_period('Q').astype(str), 'term'])['bad'].agg(['mean', 'size']).round(3)
vintage

# %%
df['rate_bin'] = pd.qcut(df['int_rate'], q=4, labels=['low', 'mid', 'high', 'very high'])
default_rate = df.groupby('rate_bin', observed=False)['bad'].mean().round(3)
status_flow = df.pivot_table(index='emp_length', columns='loan_status', values='loan_id', aggfunc='count', dropna=False)
status_flow

