# library: scikit-learn
# needs: matplotlib, numpy, pandas, seaborn, sklearn
# compare: by_title, fare_bands, importances, acc_rf, submission

# %% [markdown]
# # Titanic: a first look

# %%
import pandas as pd
import numpy as np
import seaborn as sns
import matplotlib.pyplot as plt
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import Perceptron

# %%
random_state = np.random.RandomState(891)
def sample(n, start):
    title = random_state.choice(['Mr', 'Mrs', 'Miss', 'Dr'], n, p=[.55, .2, .2, .05])
    sex = np.where(title == 'Mr', 'male', np.where(title == 'Dr', 'male', 'female'))
    return pd.DataFrame({
        'PassengerId': range(start, start + n),
        'Pclass': random_state.choice([1, 2, 3], n),
        'Name': ['Doe, %s. J%d' % (t, i) for i, t in enumerate(title)],
        'Sex': sex,
        'Age': np.where(random_state.rand(n) < .2, np.nan, random_state.uniform(1, 70, n).round()),
        'SibSp': random_state.randint(0, 4, n),
        'Parch': random_state.randint(0, 3, n),
        'Fare': random_state.exponential(30, n).round(2),
        'Embarked': random_state.choice(['S', 'C', 'Q', None], n, p=[.7, .18, .09, .03]),
        'Survived': ((sex == 'female') ^ (random_state.rand(n) < .2)).astype(int),
    })
sample(200, 1).to_csv('train.csv', index=False)
sample(80, 201).drop(columns='Survived').to_csv('test.csv', index=False)

# %% [markdown]
# ## Acquire data

# %%
train_df = pd.read_csv('train.csv')
test_df = pd.read_csv('test.csv')
combine = [train_df, test_df]
print(train_df.columns.values)

# %%
train_df.head()

# %%
train_df.info()
print('_' * 40)
test_df.info()

# %%
train_df.describe(include=['O'])

# %% [markdown]
# ## Analyze by describing data
# **Which features are categorical?** Survived, Sex, and Embarked.

# %%
train_df[['Sex', 'Survived']].groupby(['Sex'], as_index=False).mean().sort_values(by='Survived', ascending=False)

# %%
g = sns.FacetGrid(train_df, col='Survived')
g.map(plt.hist, 'Age', bins=20)
plt.show()

# %% [markdown]
# ## Wrangle data

# %%
for dataset in combine:
    dataset['Title'] = dataset.Name.str.extract(r' ([A-Za-z]+)\.', expand=False)
by_title = pd.crosstab(train_df['Title'], train_df['Sex'])
by_title

# %%
title_mapping = {"Mr": 1, "Miss": 2, "Mrs": 3, "Dr": 4}
for dataset in combine:
    dataset['Title'] = dataset['Title'].map(title_mapping).fillna(0).astype(int)
    dataset['Sex'] = dataset['Sex'].map({'female': 1, 'male': 0}).astype(int)

# %%
guess = train_df.groupby(['Sex', 'Pclass'])['Age'].median()
for dataset in combine:
    for i in range(0, 2):
        for j in range(1, 4):
            dataset.loc[(dataset.Age.isnull()) & (dataset.Sex == i) & (dataset.Pclass == j), 'Age'] = guess[i, j]
    dataset['Age'] = dataset['Age'].astype(int)
train_df['Age'].isnull().sum()

# %%
freq_port = train_df.Embarked.dropna().mode()[0]
for dataset in combine:
    dataset['FamilySize'] = dataset['SibSp'] + dataset['Parch'] + 1
    dataset['Embarked'] = dataset['Embarked'].fillna(freq_port).map({'S': 0, 'C': 1, 'Q': 2}).astype(int)
train_df['FareBand'] = pd.qcut(train_df['Fare'], 4)
fare_bands = train_df.groupby('FareBand', observed=True)['Survived'].mean().round(3).tolist()
fare_bands

# %%
drop_elements = ['Name', 'SibSp', 'Parch']
X_train = train_df.drop(drop_elements + ['PassengerId', 'Survived', 'FareBand'], axis=1)
Y_train = train_df["Survived"]
X_test = test_df.drop(drop_elements + ["PassengerId"], axis=1).copy()
X_train.shape, Y_train.shape, X_test.shape

# %% [markdown]
# ## Model, predict and solve

# %%
random_forest = RandomForestClassifier(n_estimators=30, random_state=0)
random_forest.fit(X_train, Y_train)
acc_rf = round(random_forest.score(X_train, Y_train) * 100, 2)
importances = dict(zip(X_train.columns, random_forest.feature_importances_.round(3)))
importances

# %%
Y_pred = random_forest.predict(X_test)
submission = pd.DataFrame({
    "PassengerId": test_df["PassengerId"],
    "Survived": Y_pred
})
submission.to_csv('submission.csv', index=False)
submission.shape

