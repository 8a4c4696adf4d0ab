# group: data
# seen: 2026-11-29d
# fails: TypeError: Cannot subtract tz-naive and tz-aware datetime-like objects
# cause: opened is parsed with utc=True and so knows its zone, while the cut-off made in another cell does not;
#   give the cut-off tz="UTC".
# holds: tickets["age_days"].tolist() -> [10, 7, 2, 1]
# holds: overdue["id"].tolist() -> [11]

# %%
import pandas as pd

# %%
raw = [
    {"id": 11, "opened": "2025-03-01T08:15:00Z", "prio": "high"},
    {"id": 12, "opened": "2025-03-04T17:40:00Z", "prio": "low"},
    {"id": 13, "opened": "2025-03-09T23:05:00Z", "prio": "high"},
    {"id": 14, "opened": "2025-03-10T06:30:00Z", "prio": "mid"},
]
tickets = pd.DataFrame(raw)
tickets["opened"] = pd.to_datetime(tickets["opened"], utc=True)
tickets.dtypes

# %%
STICHTAG = pd.Timestamp("2025-03-12")
LIMIT = {"high": 3, "mid": 5, "low": 10}

# %% [repaired]
STICHTAG = pd.Timestamp("2025-03-12", tz="UTC")
LIMIT = {"high": 3, "mid": 5, "low": 10}

# %%
tickets["limit"] = tickets["prio"].map(LIMIT)

# %%
tickets["age_days"] = (STICHTAG - tickets["opened"]).dt.days
overdue = tickets[tickets["age_days"] > tickets["limit"]]
overdue
