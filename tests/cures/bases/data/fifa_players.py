# library: pandas
# needs: pandas
# compare: clubs, value_by_pos, tallest

# %%
import pandas as pd

csv = '''Name,Age,Club,Position,Height,Weight,Value,Wage
L. Marin,31,Rovers,RF,5'7,159lbs,€110.5M,€565K
C. Prado,33,United,ST,6'2,183lbs,€77M,€405K
N. Santos,26,City,LW,5'9,150lbs,€118.5M,€290K
D. Haas,27,United,GK,6'4,168lbs,€72M,€260K
K. de Wit,27,City,RCM,5'11,154lbs,€102M,€355K
E. Toure,28,Rovers,CB,6'1,190lbs,€900K,€85K
T. Okoro,19,,ST,5'10,150lbs,€0,€0
'''
with open('fifa.csv', 'w', encoding='utf-8') as out:
    out.write(csv)

# %%
fifa = pd.read_csv('fifa.csv', encoding='utf-8')
fifa.head()

# %%
fifa.isnull().sum()

# %%
def money(s):
    s = s.replace('€', '')
    if s.endswith('M'):
        return float(s[:-1]) * 1_000_000
    if s.endswith('K'):
        return float(s[:-1]) * 1_000
    return float(s)

fifa['Value'] = fifa['Value'].apply(money)
fifa['Wage'] = fifa['Wage'].map(money)

# %%
feet = fifa['Height'].str.split("'", expand=True).astype(int)
fifa['Height_cm'] = (feet[0] * 30.48 + feet[1] * 2.54).round(1)
fifa['Weight_kg'] = (fifa['Weight'].str.rstrip('lbs').astype(float) * 0.4536).round(1)
fifa.drop(['Height', 'Weight'], axis=1, inplace=True)
fifa

# %%
fifa['Club'] = fifa['Club'].fillna('free agent')
clubs = fifa.groupby('Club').agg({'Name': 'count', 'Age': 'mean', 'Wage': 'sum'}).rename(columns={'Name': 'Players'})
clubs

# %%
groups = {'ST': 'attack', 'RF': 'attack', 'LW': 'attack', 'RCM': 'midfield', 'CB': 'defence', 'GK': 'defence'}
fifa['Line'] = fifa['Position'].replace(groups)
value_by_pos = (fifa.groupby('Line')['Value'].mean() / 1e6).round(2)
tallest = fifa.loc[fifa['Height_cm'].idxmax(), 'Name']
value_by_pos

