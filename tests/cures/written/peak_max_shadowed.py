# group: data
# seen: 2026-11-29e
# fails: TypeError: 'numpy.int64' object is not callable
# cause: max is overwritten with the highest load in an earlier cell, so the builtin can't be called any more.
# holds: peak_hours -> {'mon': 12, 'tue': 3, 'wed': 15, 'thu': 18, 'fri': 9}
# holds: worst -> 'wed'
# holds: callable(max) -> True

# %%
import numpy as np

rng = np.random.default_rng(17)
load = {day: rng.integers(200, 900, 24) for day in ["mon", "tue", "wed", "thu", "fri"]}
load["mon"]

# %%
all_load = np.concatenate(list(load.values()))
min = all_load.min()
max = all_load.max()
print(f"range {min} .. {max} kW")

# %% [repaired]
all_load = np.concatenate(list(load.values()))
lowest = all_load.min()
highest = all_load.max()
print(f"range {lowest} .. {highest} kW")

# %%
peak_hours = {d: int(np.argmax(v)) for d, v in load.items()}
peak_hours

# %%
worst = max(load, key=lambda d: load[d].sum())
print("worst day:", worst)

# %%
print([int(load[d].sum()) for d in load])
