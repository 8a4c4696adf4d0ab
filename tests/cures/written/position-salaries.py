# group: data
# seen: 2026-11-30h
# fails: ValueError: Expected 2D array, got scalar array instead:
# cause: predict gets the bare number 6.5, but scikit-learn expects a 2D array of one sample with one feature: [[6.5]].
# holds: pred.shape -> (1,)
# holds: 100000 < float(pred[0]) < 300000 -> True
# holds: lin_reg_2.n_features_in_ -> 5

# %% [markdown]
# # Polynomial Regression (Section 6)
# Is the new employee telling the truth about his 160k? He is between level 6 and 7.

# %%
# Importing the libraries
import numpy as np
import matplotlib.pyplot as plt
import pandas as pd

# %%
# Importing the dataset
dataset = pd.DataFrame({
    "Position": ["Business Analyst", "Junior Consultant", "Senior Consultant", "Manager", "Country Manager",
                 "Region Manager", "Partner", "Senior Partner", "C-level", "CEO"],
    "Level": range(1, 11),
    "Salary": [45000, 50000, 60000, 80000, 110000, 150000, 200000, 300000, 500000, 1000000],
})
X = dataset.iloc[:, 1:2].values
y = dataset.iloc[:, 2].values

# %%
# Fitting Polynomial Regression to the dataset
from sklearn.linear_model import LinearRegression
from sklearn.preprocessing import PolynomialFeatures
poly_reg = PolynomialFeatures(degree=4)
X_poly = poly_reg.fit_transform(X)
lin_reg_2 = LinearRegression()
lin_reg_2.fit(X_poly, y)

# %%
plt.scatter(X, y, color="red")
plt.plot(X, lin_reg_2.predict(X_poly), color="blue")
plt.title("Truth or Bluff")
plt.show()

# %%
# Predicting a new result
pred = lin_reg_2.predict(poly_reg.transform(6.5))
print(pred)

# %% [repaired]
# Predicting a new result
pred = lin_reg_2.predict(poly_reg.transform([[6.5]]))
print(pred)
