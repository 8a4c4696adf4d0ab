# library: pandas
# needs: numpy, pandas
# compare: rate_by_dept, tenure_bands, flagged

# %%
import pandas as pd
import numpy as np

np.random.seed(55)
emp = pd.DataFrame({
    'EmployeeNumber': range(1001, 1121),
    'Department': np.random.choice(['Sales', 'R&D', 'HR'], 120, p=[.35, .55, .1]),
    'JobLevel': np.random.randint(1, 6, 120),
    'MonthlyIncome': np.random.randint(2000, 15000, 120),
    'HireDate': pd.to_datetime('2010-01-01') + pd.to_timedelta(np.random.randint(0, 4500, 120), unit='D'),
    'OverTime': np.random.choice(['Yes', 'No'], 120, p=[.3, .7]),
})
emp['Attrition'] = np.where((emp['OverTime'] == 'Yes') & (np.random.rand(120) < .4), 'Yes', 'No')
emp.to_csv('hr.csv', index=False)

# %%
hr = pd.read_csv('hr.csv', parse_dates=['HireDate'], index_col='EmployeeNumber')
hr.head()

# %%
hr.describe(include='all')

# %%
hr['Left'] = hr['Attrition'].eq('Yes')
rate_by_dept = hr.groupby('Department')['Left'].mean().mul(100).round(1)
rate_by_dept

# %%
cutoff = pd.Timestamp('2022-12-31')
hr['YearsHere'] = ((cutoff - hr['HireDate']).dt.days / 365.25).round(1)
hr['Band'] = pd.cut(hr['YearsHere'], [0, 2, 5, 10, 20], labels=['new', 'junior', 'senior', 'veteran'], right=False)
tenure_bands = hr['Band'].value_counts(sort=False)
tenure_bands

# %%
hr['IncomeRank'] = hr.groupby('JobLevel')['MonthlyIncome'].rank(pct=True)
at_risk = hr[(hr['OverTime'] == 'Yes') & (hr['IncomeRank'] < 0.5) & ~hr['Left']]
flagged = at_risk.index.tolist()
print(len(flagged), 'people to talk to')

