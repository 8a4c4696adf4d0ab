# group: data
# seen: 2026-11-29d
# fails: KeyError: "['customer_id'] not in index"
# cause: prepare() drops the columns in place from the frame it was handed, so customers itself lost customer_id;
#   it should work on a copy.
# holds: list(customers.columns) -> ['customer_id', 'tenure', 'monthly', 'calls', 'churn', 'risk']
# holds: X.shape -> (200, 3)
# holds: len(letter) -> 20
# holds: "customer_id" in letter.columns -> True

# %%
import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

# %%
np.random.seed(5)
N = 200
customers = pd.DataFrame({
    'customer_id': ['C%04d' % i for i in range(N)],
    'tenure': np.random.randint(1, 60, N),
    'monthly': np.random.uniform(10, 90, N).round(2),
    'calls': np.random.poisson(2, N),
})
customers['churn'] = ((customers.calls * 10 + customers.monthly - customers.tenure + np.random.normal(0, 12, N)) > 50).astype(int)
customers.churn.mean()

# %%
def prepare(df):
    df.drop(columns=['customer_id'], inplace=True)
    y = df['churn']
    X = df.drop(columns=['churn'])
    return X, y

# %% [repaired]
def prepare(df):
    df = df.drop(columns=['customer_id'])
    y = df['churn']
    X = df.drop(columns=['churn'])
    return X, y

# %%
X, y = prepare(customers)
scaler = StandardScaler()
clf = LogisticRegression().fit(scaler.fit_transform(X), y)
print('train acc', clf.score(scaler.transform(X), y))

# %%
customers['risk'] = clf.predict_proba(scaler.transform(X))[:, 1]
customers.risk.describe()

# %%
# the 20 riskiest customers get a letter
letter = customers.sort_values('risk', ascending=False).head(20)[['customer_id', 'risk']]
letter
