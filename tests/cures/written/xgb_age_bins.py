# group: data
# seen: 2026-11-29c
# fails: ValueError: feature_names must be string, and may not contain [, ] or <
# cause: the dummies take their names from the intervals of pd.cut, like "age_(0, 30]", and XGBoost refuses [ ] and < in feature names;
#   the bins need plain labels.
# holds: [c for c in X.columns if "[" in c or "]" in c] -> []
# holds: X.shape -> (300, 6)
# holds: model.n_features_in_ -> 6

# %%
import pandas as pd, numpy as np
import xgboost as xgb

# %%
rs = np.random.RandomState(9)
claims = pd.DataFrame({"age": rs.randint(18, 85, 300), "km_year": rs.randint(3, 40, 300) * 1000,
                       "city": rs.choice([0, 1], 300)})
claims["claim"] = (rs.rand(300) < 0.1 + 0.2 * (claims.age < 30) + 0.1 * claims.city).astype(int)
claims.head()

# %%
bins = [0, 30, 45, 60, 100]
claims["age_group"] = pd.cut(claims["age"], bins=bins)
claims["age_group"].value_counts()

# %% [repaired]
bins = [0, 30, 45, 60, 100]
claims["age_group"] = pd.cut(claims["age"], bins=bins, labels=["to30", "31to45", "46to60", "over60"])
claims["age_group"].value_counts()

# %%
X = pd.get_dummies(claims[["km_year", "city", "age_group"]], columns=["age_group"], prefix="age")
y = claims["claim"]
X.shape

# %%
model = xgb.XGBClassifier(n_estimators=20, max_depth=3)
model.fit(X, y)

# %%
imp = pd.Series(model.feature_importances_, index=X.columns).sort_values()
print(imp)
