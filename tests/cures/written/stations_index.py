# group: data
# seen: 2026-11-29b
# fails: KeyError: "None of ['station'] are in the columns"
# cause: the cell that sets the index was run a second time; station is the index already.
# holds: obs.index.name -> 'station'
# holds: float(obs.loc["Oslo", "temp_f"]) -> 41.0
# holds: warmest -> 'Rome'
# order: 1, 2, 3, 3, 4, 5
# again: 1, 2, 3, 4, 5

# %%
import pandas as pd

# %%
obs = pd.DataFrame({
    "station": ["Oslo", "Rome", "Bern", "Porto"],
    "temp_c": [5.0, 19.0, 9.5, 16.0],
    "rain": [3.1, 0.0, 7.7, 1.2],
})
obs

# %%
obs = obs.set_index("station")
obs

# %%
obs["temp_f"] = obs["temp_c"] * 9 / 5 + 32
obs.round(1)

# %%
warmest = obs["temp_c"].idxmax()
print(warmest, obs.loc[warmest, "temp_f"])
