# group: data
# seen: 2026-11-29
# fails: TypeError: NDFrame.fillna() got an unexpected keyword argument 'method'
# cause: fillna(method=...) was removed in pandas 3; the helper in cell 3 still uses it.
# holds: int(wide.isna().sum().sum()) -> 0
# holds: round(float(daily.mean().mean()),4) -> 17.6883
# holds: daily.shape -> (14, 3)

# %% [markdown]
# ## Greenhouse sensors: hourly temperatures

# %%
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
rng = np.random.default_rng(3)

# %%
idx = pd.date_range("2024-05-01", periods=24 * 14, freq="h")
def fake_sensor(offset):
    t = np.arange(len(idx))
    v = offset + 6 * np.sin(2 * np.pi * t / 24) + rng.normal(0, .5, len(idx))
    v[rng.choice(len(idx), 15, replace=False)] = np.nan
    return v

wide = pd.DataFrame({"bed_a": fake_sensor(18), "bed_b": fake_sensor(20), "door": fake_sensor(15)}, index=idx)
wide.isna().sum()

# %%
def clean_sensor(s, limit=6):
    """Carry the last reading forward over short gaps, clip broken values."""
    s = s.clip(-10, 50)
    return s.fillna(method="ffill", limit=limit)

# %% [repaired]
def clean_sensor(s, limit=6):
    """Carry the last reading forward over short gaps, clip broken values."""
    s = s.clip(-10, 50)
    return s.ffill(limit=limit)

# %%
wide.iloc[0] = [18.0, 20.0, 15.0]     # first reading from the logbook
wide = wide.apply(clean_sensor)

# %%
daily = wide.resample("D").mean()
daily.head()

# %%
fig, ax = plt.subplots(figsize=(8, 3))
daily.plot(ax=ax)
ax.set_ylabel("°C")
plt.show()
