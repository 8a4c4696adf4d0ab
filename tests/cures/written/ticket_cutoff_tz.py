# group: data
# seen: 2026-11-30f
# fails: TypeError: Invalid comparison between dtype=datetime64[us, UTC] and Timestamp
# cause: the `opened` column is timezone-aware (UTC) and is compared with a Timestamp without a timezone.
# holds: len(recent) -> 3
# holds: recent["id"].tolist() -> [103, 104, 105]
# holds: str(tickets["opened"].dt.tz) -> 'UTC'

# %%
import pandas as pd

# %%
tickets = pd.DataFrame({
    "id": [101, 102, 103, 104, 105],
    "opened": ["2026-02-26T09:14:00Z", "2026-02-28T23:50:00Z", "2026-03-01T00:10:00Z",
               "2026-03-02T16:00:00Z", "2026-03-05T07:45:00Z"],
    "prio": ["low", "high", "high", "low", "mid"],
})
tickets["opened"] = pd.to_datetime(tickets["opened"])
tickets.dtypes

# %%
print(tickets["opened"].min(), "...", tickets["opened"].max())

# %%
# new SLA starts in march (UTC)
recent = tickets[tickets["opened"] >= pd.Timestamp("2026-03-01")]

# %% [repaired]
# new SLA starts in march (UTC)
recent = tickets[tickets["opened"] >= pd.Timestamp("2026-03-01", tz="UTC")]

# %%
recent["prio"].value_counts()
