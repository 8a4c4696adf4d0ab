# library: lightgbm
# needs: lightgbm, numpy, pandas, sklearn
# compare: rmse, dist_stats, importance

# %%
import pandas as pd, numpy as np
import lightgbm as lgb
from sklearn.model_selection import KFold

# %%
def haversine(lat1, lon1, lat2, lon2):
    lat1, lon1, lat2, lon2 = map(np.radians, (lat1, lon1, lat2, lon2))
    a = np.sin((lat2 - lat1) / 2) ** 2 + np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) / 2) ** 2
    return 2 * 6371 * np.arcsin(np.sqrt(a))

# %%
rs = np.random.RandomState(33)
N = 400
trips = pd.DataFrame({
    "pickup_datetime": pd.Timestamp("2016-01-01") + pd.to_timedelta(rs.randint(0, 90 * 24 * 60, N), unit="min"),
    "pickup_latitude": 40.75 + rs.randn(N) * .03,
    "pickup_longitude": -73.98 + rs.randn(N) * .03,
    "dropoff_latitude": 40.75 + rs.randn(N) * .03,
    "dropoff_longitude": -73.97 + rs.randn(N) * .03,
    "passenger_count": rs.randint(1, 7, N),
})
d = haversine(trips.pickup_latitude, trips.pickup_longitude, trips.dropoff_latitude, trips.dropoff_longitude)
trips["trip_duration"] = (d * 180 + rs.exponential(120, N) + 60).astype(int)
trips.to_csv("trips.csv.gz", index=False, compression="gzip")

# %%
train = pd.read_csv("trips.csv.gz", parse_dates=["pickup_datetime"])
print(train.shape)
train.describe().T.round(2)

# %%
train["distance"] = haversine(train["pickup_latitude"], train["pickup_longitude"],
                              train["dropoff_latitude"], train["dropoff_longitude"])
train["hour"] = train["pickup_datetime"].dt.hour
train["weekend"] = (train["pickup_datetime"].dt.dayofweek >= 5).astype(int)
train["log_duration"] = np.log1p(train["trip_duration"])
dist_stats = train["distance"].describe().round(4)

# %%
cols = ["distance", "hour", "weekend", "passenger_count"]
params = dict(objective="regression", num_leaves=15, learning_rate=0.15, verbose=-1, num_threads=1, seed=1, deterministic=True)
oof = np.zeros(len(train))
importance = np.zeros(len(cols))
for tr, va in KFold(n_splits=3, shuffle=True, random_state=0).split(train):
    dtr = lgb.Dataset(train.loc[tr, cols], label=train.loc[tr, "log_duration"])
    booster = lgb.train(params, dtr, num_boost_round=30)
    oof[va] = booster.predict(train.loc[va, cols])
    importance += booster.feature_importance(importance_type="split")

# %%
rmse = np.sqrt(np.mean((oof - train["log_duration"]) ** 2)).round(4)
print("CV RMSLE", rmse)
importance = pd.Series(importance, index=cols).sort_values(ascending=False)
importance

