# library: scikit-learn
# needs: numpy, pandas, sklearn
# compare: acc, cm, coefs

# %%
# Telco churn, my first classification project
import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler, LabelEncoder
from sklearn.metrics import accuracy_score, confusion_matrix, classification_report

# %%
np.random.seed(42)
N = 400
data = pd.DataFrame({
    'customerID': ['C%04d' % i for i in range(N)],
    'gender': np.random.choice(['Male', 'Female'], N),
    'tenure': np.random.randint(0, 72, N),
    'Contract': np.random.choice(['Month-to-month', 'One year', 'Two year'], N, p=[.6, .25, .15]),
    'MonthlyCharges': np.round(np.random.uniform(18, 118, N), 2),
})
logit = -0.05 * data['tenure'] + 0.02 * data['MonthlyCharges'] + (data['Contract'] == 'Month-to-month') * 0.9
data['Churn'] = np.where(np.random.rand(N) < 1 / (1 + np.exp(-logit)), 'Yes', 'No')
data.to_csv('telco.csv', index=False)

# %%
df = pd.read_csv('telco.csv')
print(df.shape)
df.head()

# %%
df['Churn'].value_counts()

# %%
df = df.drop('customerID', axis=1)
le = LabelEncoder()
df['gender'] = le.fit_transform(df['gender'])
df['Churn'] = df['Churn'].map({'Yes': 1, 'No': 0})
df = pd.get_dummies(df, columns=['Contract'], drop_first=True)
df.columns

# %%
X = df.drop('Churn', axis=1)
y = df['Churn']
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25, random_state=0)
print(X_train.shape, X_test.shape)

# %%
scaler = StandardScaler()
X_train = scaler.fit_transform(X_train)
X_test = scaler.transform(X_test)

# %%
model = LogisticRegression(max_iter=500)
model.fit(X_train, y_train)
y_pred = model.predict(X_test)

# %%
acc = accuracy_score(y_test, y_pred)
cm = confusion_matrix(y_test, y_pred)
print('accuracy', round(acc, 3))
print(classification_report(y_test, y_pred))
cm

# %%
coefs = pd.Series(model.coef_[0].round(4), index=X.columns).sort_values()
coefs

