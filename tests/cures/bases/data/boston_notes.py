# library: scikit-learn
# needs: matplotlib, numpy, pandas, sklearn
# compare: mse, r2, predictions

# %%
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
from sklearn import linear_model
from sklearn import metrics

# %%
# the original data set was removed from sklearn, so I use a copy I generated
rng = np.random.RandomState(1970)
names = ['CRIM', 'RM', 'AGE', 'DIS', 'LSTAT']
values = np.column_stack([rng.exponential(3.6, 150), rng.normal(6.3, .7, 150), rng.uniform(3, 100, 150), rng.gamma(3, 1.2, 150), rng.uniform(2, 35, 150)])
medv = -30 + 9 * values[:, 1] - 0.3 * values[:, 4] - 0.1 * values[:, 0] + rng.normal(0, 2, 150)
np.savetxt('boston.csv', np.column_stack([values, medv]), delimiter=',', fmt='%.3f', header=','.join(names + ['MEDV']), comments='')

# %%
data = pd.read_csv('boston.csv')
data.head()

# %%
data.describe()

# %%
plt.hist(data['MEDV'], bins=20)
plt.show()

# %%
x = data.iloc[:, 0:5]
y = data.iloc[:, 5]
print(type(x), type(y))

# %%
# manual split 80/20
n = len(data)
cut = int(n * 0.8)
x_train = x[:cut]
x_test = x[cut:]
y_train = y[:cut]
y_test = y[cut:]
print(len(x_train), len(x_test))

# %%
lm = linear_model.LinearRegression()
model = lm.fit(x_train, y_train)
predictions = lm.predict(x_test)
predictions[0:5]

# %%
mse = metrics.mean_squared_error(y_test, predictions)
r2 = metrics.r2_score(y_test, predictions)
print("MSE", mse)
print("RMSE", np.sqrt(mse))
print("R2", r2)

# %%
coef = pd.DataFrame(lm.coef_, x.columns, columns=['Coefficient'])
coef

