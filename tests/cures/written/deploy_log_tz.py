# group: data
# seen: 2026-11-29b
# fails: TypeError: Invalid comparison between dtype=datetime64[us, UTC] and Timestamp
# cause: the log times are UTC-aware, the time of the deployment has no time zone.
# holds: len(after) -> 4
# holds: int(after["ms"].max()) -> 950
# holds: (after["ts"].min().hour, after["ts"].min().minute) -> (12, 10)

# %% [markdown]
# Did the deployment at 12:00 UTC make the service slower?

# %%
import pandas as pd
log = pd.DataFrame({
    "ts": ["2024-05-01T11:20:00Z", "2024-05-01T11:45:00Z", "2024-05-01T12:10:00Z",
           "2024-05-01T14:30:00+02:00", "2024-05-01T13:00:00Z", "2024-05-01T13:40:00Z",
           "2024-05-01T13:30:00+02:00"],
    "ms": [120, 130, 800, 950, 870, 640, 115],
})
log.info()

# %%
log["ts"] = pd.to_datetime(log["ts"], utc=True)
log = log.sort_values("ts")
log

# %%
deployed = pd.Timestamp("2024-05-01 12:00")

# %% [repaired]
deployed = pd.Timestamp("2024-05-01 12:00", tz="UTC")

# %%
after = log[log["ts"] >= deployed]
before = log[log["ts"] < deployed]
print(len(before), len(after))

# %%
print("before:", before["ms"].median(), "after:", after["ms"].median())
