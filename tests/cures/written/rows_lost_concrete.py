# group: data
# seen: 2026-11-29c
# fails: ValueError: Found input variables with inconsistent numbers of samples: [160, 147]
# cause: X is taken from the raw table `df` while y comes from `clean`, from which rows with missing strength have been dropped.
# holds: X.shape -> (147, 3)
# holds: len(X_tr) + len(X_te) -> 147
# holds: bool((X.index == y.index).all()) -> True

# %%
import pandas as pd, numpy as np
from sklearn.model_selection import train_test_split
from sklearn.ensemble import RandomForestRegressor
from sklearn.metrics import r2_score

# %%
np.random.seed(11)
n = 160
df = pd.DataFrame({
    'cement': np.random.uniform(120, 500, n).round(),
    'water': np.random.uniform(130, 240, n).round(),
    'age_days': np.random.choice([3, 7, 28, 90], n),
})
df['strength'] = (0.09*df.cement - 0.1*df.water + 6*np.log(df.age_days) + np.random.normal(0, 2, n)).round(1)
df.loc[np.random.choice(n, 13, replace=False), 'strength'] = np.nan
df.isna().sum()

# %%
# tests that were never finished have no strength
clean = df.dropna(subset=['strength'])
clean.shape

# %%
features = ['cement', 'water', 'age_days']
X = df[features]
y = clean['strength']

# %% [repaired]
features = ['cement', 'water', 'age_days']
X = clean[features]
y = clean['strength']

# %%
X.head()

# %%
X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=0.25, random_state=0)

# %%
rf = RandomForestRegressor(n_estimators=50, random_state=0).fit(X_tr, y_tr)
print('R2', r2_score(y_te, rf.predict(X_te)))
