# library: scikit-learn
# needs: numpy, pandas, sklearn
# compare: board, chosen, errors

# %%
import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestRegressor, ExtraTreesRegressor
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_absolute_error, mean_squared_error
from sklearn.model_selection import cross_validate, train_test_split
from sklearn.preprocessing import PolynomialFeatures
from sklearn.pipeline import Pipeline

# %%
rng = np.random.default_rng(5)
n = 180
wine = pd.DataFrame({
    'fixed acidity': rng.normal(8.3, 1.5, n).round(1),
    'volatile acidity': rng.normal(0.53, 0.15, n).round(2),
    'alcohol': rng.uniform(8.5, 14, n).round(1),
    'sulphates': rng.normal(0.65, 0.12, n).round(2),
})
wine['quality'] = (3 + 0.35 * (wine['alcohol'] - 8) - 1.8 * (wine['volatile acidity'] - .5) + 2 * (wine['sulphates'] - .6) + rng.normal(0, .4, n)).round().clip(3, 8).astype(int)
wine.to_csv('winequality-red.csv', sep=';', index=False)

# %%
wine = pd.read_csv('winequality-red.csv', sep=';')
wine.columns = wine.columns.str.replace(' ', '_')
wine.head()

# %%
wine['quality'].value_counts().sort_index()

# %%
y = wine.pop('quality')
X = wine
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=42, test_size=0.2)
X_train.shape, y_train.shape, X_test.shape, y_test.shape

# %%
candidates = [
    ('linear', LinearRegression()),
    ('poly', Pipeline([('features', PolynomialFeatures(degree=2, include_bias=False)), ('reg', LinearRegression())])),
    ('forest', RandomForestRegressor(n_estimators=15, random_state=0)),
    ('extra', ExtraTreesRegressor(n_estimators=15, random_state=0)),
]
board = {}
for name, est in candidates:
    cv = cross_validate(est, X_train, y_train, cv=3, scoring='neg_mean_absolute_error', return_train_score=True)
    board[name] = (-cv['test_score'].mean().round(4), -cv['train_score'].mean().round(4))
board = pd.DataFrame(board, index=['test_mae', 'train_mae']).T.sort_values('test_mae')
board

# %%
chosen = board.index[0]
best = dict(candidates)[chosen].fit(X_train, y_train)
y_pred = best.predict(X_test)
errors = {
    'mae': round(mean_absolute_error(y_test, y_pred), 3),
    'rmse': round(float(np.sqrt(mean_squared_error(y_test, y_pred))), 3),
}
errors

