# group: data
# seen: 2026-11-30h
# fails: TypeError: Cannot subtract tz-naive and tz-aware datetime-like objects
# cause: created_at ends with Z, so it is tz-aware (UTC), while the reference day is naive; the reference needs tz="UTC".
# holds: orders["age_days"].tolist() -> [28, 9, 57, 2, 19]
# holds: late["order"].tolist() -> [1003, 1005]

# %%
import pandas as pd

# %%
# from the shop API
orders = pd.DataFrame({
    "order": [1001, 1002, 1003, 1004, 1005],
    "created_at": ["2024-02-01T09:12:00Z", "2024-02-20T18:00:00Z", "2024-01-03T00:30:00Z", "2024-02-27T23:59:59Z", "2024-02-10T12:00:00Z"],
    "state": ["sent", "open", "open", "open", "open"],
})
orders["created_at"] = pd.to_datetime(orders["created_at"])
orders.dtypes

# %%
today = pd.Timestamp("2024-03-01")
today

# %% [repaired]
today = pd.Timestamp("2024-03-01", tz="UTC")
today

# %%
orders["age_days"] = (today - orders["created_at"]).dt.days
orders

# %%
late = orders[(orders["state"] == "open") & (orders["age_days"] > 14)]
print("remind:", late["order"].tolist())
