# library: scikit-learn
# needs: matplotlib, numpy, pandas, sklearn
# compare: slope, intercept, y_pred

# %%
# Simple linear regression - Salary vs experience
import numpy as np
import matplotlib.pyplot as plt
import pandas as pd

# %%
np.random.seed(0)
years = np.sort(np.random.uniform(1, 11, 30).round(1))
salaries = (25000 + 9500 * years + np.random.normal(0, 5000, 30)).round()
pd.DataFrame({'YearsExperience': years, 'Salary': salaries}).to_csv('Salary_Data.csv', index=False)

# %%
dataset = pd.read_csv('Salary_Data.csv')
X = dataset.iloc[:, :-1].values
y = dataset.iloc[:, 1].values
dataset.head()

# %%
from sklearn.model_selection import train_test_split
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size = 1/3, random_state = 0)

# %%
from sklearn.linear_model import LinearRegression
regressor = LinearRegression()
regressor.fit(X_train, y_train)

# %%
y_pred = regressor.predict(X_test)
y_pred

# %%
plt.scatter(X_train, y_train, color = 'red')
plt.plot(X_train, regressor.predict(X_train), color = 'blue')
plt.title('Salary vs Experience (Training set)')
plt.xlabel('Years of Experience')
plt.ylabel('Salary')
plt.show()

# %%
slope = regressor.coef_[0]
intercept = regressor.intercept_
print('salary = %.1f * years + %.1f' % (slope, intercept))
print(regressor.predict([[12]]))

