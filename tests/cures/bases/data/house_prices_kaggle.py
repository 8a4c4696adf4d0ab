# library: scikit-learn
# needs: lightgbm, matplotlib, numpy, pandas, scipy, seaborn, sklearn
# compare: skewed, shape_after, cv_rmse, submission_head

# %%
# imports
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
import seaborn as sns
from scipy.stats import skew
from sklearn.linear_model import ElasticNet, Ridge
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import RobustScaler
import lightgbm as lgb

pd.set_option('display.float_format', lambda x: '{:.3f}'.format(x))

# %%
# stand-in for the competition files
rng = np.random.default_rng(1455)
def houses(n, first_id, train=True):
    d = pd.DataFrame({
        'Id': np.arange(first_id, first_id + n),
        'MSZoning': rng.choice(['RL', 'RM', 'FV'], n, p=[.7, .2, .1]),
        'LotFrontage': np.where(rng.random(n) < .15, np.nan, rng.normal(70, 20, n).round()),
        'GrLivArea': rng.lognormal(7.1, .5, n).round(),
        'TotalBsmtSF': rng.gamma(8, 130, n).round(),
        'OverallQual': rng.integers(2, 11, n),
        'GarageType': rng.choice(['Attchd', 'Detchd', None], n, p=[.6, .3, .1]),
        'YrSold': rng.integers(2006, 2011, n),
    })
    if train:
        d['SalePrice'] = (50 * d['GrLivArea'] + 30 * d['TotalBsmtSF'] + 12000 * d['OverallQual'] + rng.normal(0, 8000, n)).round()
    return d
houses(160, 1).to_csv('train.csv', index=False)
houses(60, 161, train=False).to_csv('test.csv', index=False)

# %% [markdown]
# # Stacked regressions (short version)

# %%
train = pd.read_csv('train.csv')
test = pd.read_csv('test.csv')
train.head(5)

# %%
print("The train data size before dropping Id feature is : {} ".format(train.shape))
train_ID = train['Id']
test_ID = test['Id']
train.drop("Id", axis=1, inplace=True)
test.drop("Id", axis=1, inplace=True)
print("\nThe train data size after dropping Id feature is : {} ".format(train.shape))

# %% [markdown]
# ## Outliers

# %%
fig, ax = plt.subplots()
ax.scatter(x=train['GrLivArea'], y=train['SalePrice'])
plt.ylabel('SalePrice', fontsize=13)
plt.xlabel('GrLivArea', fontsize=13)
plt.show()

# %%
train["SalePrice"] = np.log1p(train["SalePrice"])
sns.histplot(train['SalePrice'], kde=True)
plt.show()

# %% [markdown]
# ## Features engineering
# let's first concatenate the train and test data in the same dataframe

# %%
ntrain = train.shape[0]
ntest = test.shape[0]
y_train = train.SalePrice.values
all_data = pd.concat((train, test)).reset_index(drop=True)
all_data.drop(['SalePrice'], axis=1, inplace=True)
print("all_data size is : {}".format(all_data.shape))

# %% [markdown]
# ### Missing Data

# %%
all_data_na = (all_data.isnull().sum() / len(all_data)) * 100
all_data_na = all_data_na.drop(all_data_na[all_data_na == 0].index).sort_values(ascending=False)
missing_data = pd.DataFrame({'Missing Ratio': all_data_na})
missing_data.head()

# %%
all_data["LotFrontage"] = all_data.groupby("MSZoning")["LotFrontage"].transform(lambda x: x.fillna(x.median()))
all_data["GarageType"] = all_data["GarageType"].fillna("None")
all_data['YrSold'] = all_data['YrSold'].astype(str)
all_data['TotalSF'] = all_data['TotalBsmtSF'] + all_data['GrLivArea']

# %%
numeric_feats = all_data.select_dtypes(include='number').columns
skewed_feats = all_data[numeric_feats].apply(lambda x: skew(x.dropna())).sort_values(ascending=False)
skewed = skewed_feats[abs(skewed_feats) > 0.75].index.tolist()
for feat in skewed:
    all_data[feat] = np.log1p(all_data[feat])
skewed

# %%
all_data = pd.get_dummies(all_data)
shape_after = all_data.shape
print(shape_after)
train = all_data[:ntrain]
test = all_data[ntrain:]

# %% [markdown]
# ## Modelling

# %%
n_folds = 3

def rmsle_cv(model):
    kf = KFold(n_folds, shuffle=True, random_state=42)
    return np.sqrt(-cross_val_score(model, train.values.astype(float), y_train, scoring="neg_mean_squared_error", cv=kf))

ridge = make_pipeline(RobustScaler(), Ridge(alpha=2))
ENet = make_pipeline(RobustScaler(), ElasticNet(alpha=0.0005, l1_ratio=.9, random_state=3, max_iter=5000))
model_lgb = lgb.LGBMRegressor(objective='regression', num_leaves=5, learning_rate=0.1, n_estimators=40, verbose=-1, n_jobs=1)

# %%
cv_rmse = {}
for label, m in zip(["ridge", "ENet", "LGBM"], [ridge, ENet, model_lgb]):
    score = rmsle_cv(m)
    cv_rmse[label] = round(score.mean(), 4)
    print("{} score: {:.4f} ({:.4f})".format(label, score.mean(), score.std()))

# %%
ridge.fit(train, y_train)
model_lgb.fit(train, y_train)
ensemble = np.expm1(ridge.predict(test)) * 0.7 + np.expm1(model_lgb.predict(test)) * 0.3
sub = pd.DataFrame()
sub['Id'] = test_ID
sub['SalePrice'] = ensemble.round(2)
sub.to_csv('submission.csv', index=False)
submission_head = sub.head(3)
submission_head

