# library: xgboost
# needs: numpy, pandas, sklearn, xgboost
# compare: mae, top_features, first

# %%
import pandas as pd
import numpy as np
import xgboost as xgb
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import train_test_split

# %%
np.random.seed(1)
when = pd.date_range('2012-01-01', periods=600, freq='3h')
bikes = pd.DataFrame({'datetime': when})
bikes['temp'] = np.round(15 + 10 * np.sin(2 * np.pi * (when.dayofyear - 100) / 365) + np.random.randn(600) * 2, 1)
bikes['windspeed'] = np.random.gamma(3, 4, 600).round(1)
bikes['weather'] = np.random.choice(['clear', 'mist', 'rain'], 600, p=[.6, .3, .1])
bikes['count'] = (60 + 6 * bikes['temp'] - 40 * (bikes['weather'] == 'rain') + 30 * when.hour.isin([9, 18]) + np.random.randn(600) * 8).clip(0).astype(int)
bikes.to_csv('bike_train.csv', index=False)

# %%
train = pd.read_csv('bike_train.csv', parse_dates=['datetime'])
train.head()

# %%
train['hour'] = train['datetime'].dt.hour
train['month'] = train['datetime'].dt.month
train['dow'] = train['datetime'].dt.dayofweek
train['weather'] = train['weather'].astype('category').cat.codes
features = ['temp', 'windspeed', 'weather', 'hour', 'month', 'dow']
X, y = train[features], train['count']

# %%
X_train, X_valid, y_train, y_valid = train_test_split(X, y, test_size=0.2, random_state=7)
dtrain = xgb.DMatrix(X_train, label=y_train)
dvalid = xgb.DMatrix(X_valid, label=y_valid)

# %%
params = {'max_depth': 3, 'eta': 0.2, 'objective': 'reg:squarederror', 'seed': 7, 'nthread': 1}
bst = xgb.train(params, dtrain, num_boost_round=40, evals=[(dvalid, 'valid')], verbose_eval=20)

# %%
pred = bst.predict(dvalid)
mae = round(float(mean_absolute_error(y_valid, pred)), 2)
first = pred[:3].round(1)
gain = bst.get_score(importance_type='gain')
top_features = sorted(gain, key=gain.get, reverse=True)[:2]
print(mae, top_features)

