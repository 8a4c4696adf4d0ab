# library: pandas
# needs: pandas
# compare: salaries, longest, managers

# %%
import sqlite3
import pandas as pd

conn = sqlite3.connect('company.db')
cur = conn.cursor()
cur.executescript('''
DROP TABLE IF EXISTS employees;
DROP TABLE IF EXISTS departments;
CREATE TABLE departments (dept_id INTEGER PRIMARY KEY, dept_name TEXT);
CREATE TABLE employees (emp_id INTEGER, name TEXT, dept_id INTEGER, manager_id INTEGER, salary REAL, hired TEXT);
''')
cur.executemany('INSERT INTO departments VALUES (?, ?)', [(1, 'IT'), (2, 'Finance'), (3, 'Legal')])
people = [
    (10, 'Mia', 1, None, 5200, '2015-03-01'),
    (11, 'Noah', 1, 10, 4100, '2018-07-15'),
    (12, 'Lena', 2, 10, 4700, '2017-01-10'),
    (13, 'Omar', 2, 12, 3900, '2020-11-30'),
    (14, 'Pia', None, 12, 3500, '2021-05-05'),
]
cur.executemany('INSERT INTO employees VALUES (?, ?, ?, ?, ?, ?)', people)
conn.commit()

# %%
def q(sql, **kw):
    return pd.read_sql_query(sql, conn, **kw)

q('SELECT name FROM sqlite_master WHERE type = "table"')

# %%
emp = q('SELECT * FROM employees', parse_dates=['hired'])
dep = q('SELECT * FROM departments')
emp.dtypes

# %%
both = emp.merge(dep, how='outer', on='dept_id', indicator=True)
both['_merge'].value_counts()

# %%
salaries = q('''
    SELECT d.dept_name, COUNT(*) AS n, AVG(e.salary) AS mean_salary
    FROM employees e JOIN departments d ON e.dept_id = d.dept_id
    GROUP BY d.dept_name
    ORDER BY mean_salary DESC
''')
salaries

# %%
managers = emp.merge(emp[['emp_id', 'name']], left_on='manager_id', right_on='emp_id', suffixes=('', '_manager'))
managers = managers[['name', 'name_manager', 'salary']]
managers

# %%
longest = emp.sort_values('hired').iloc[0]['name']
raise_pct = {'IT': 1.05, 'Finance': 1.03}
emp = emp.merge(dep, on='dept_id', how='left')
emp['new_salary'] = emp['salary'] * emp['dept_name'].map(raise_pct).fillna(1.0)
emp.to_sql('employees_new', conn, if_exists='replace', index=False)
conn.close()
emp[['name', 'new_salary']]

