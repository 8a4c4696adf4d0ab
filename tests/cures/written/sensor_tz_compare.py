# group: data
# seen: 2026-11-29e
# fails: TypeError: Invalid comparison between dtype=datetime64[us, UTC] and Timestamp
# cause: the log times are tz-aware (UTC) and the start of the maintenance is a naive Timestamp; it needs tz="UTC".
# holds: len(after) -> 11
# holds: int(after["time"].min().hour) -> 19

# %%
import pandas as pd
import numpy as np

# %%
log = pd.DataFrame({
    "time": pd.date_range("2024-05-01 06:00", periods=24, freq="h", tz="UTC"),
    "volt": np.round(np.sin(np.arange(24) / 4) + 12, 2),
})
log.dtypes

# %%
log["volt"].rolling(3).mean().tail()

# %%
maintenance = pd.Timestamp("2024-05-01 18:30")   # UTC, from the shift book

# %% [repaired]
maintenance = pd.Timestamp("2024-05-01 18:30", tz="UTC")   # UTC, from the shift book

# %%
after = log[log["time"] > maintenance]
print(len(after), "readings after the maintenance")

# %%
after.set_index("time")["volt"].mean()
