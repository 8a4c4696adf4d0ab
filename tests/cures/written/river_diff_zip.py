# group: data
# seen: 2026-11-29e
# fails: ValueError: zip() argument 2 is shorter than argument 1
# cause: np.diff gives one value less than there are days; the change belongs to the second day of each pair, days[1:].
# holds: len(change) -> 6
# holds: change["Tue"] -> 7
# holds: sorted(change)[0] -> 'Fri'

# %%
import numpy as np
import matplotlib.pyplot as plt

# %%
days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
level = np.array([212, 219, 240, 236, 228, 225, 231])  # cm, read at 8:00
plt.bar(days, level)
plt.show()

# %%
rise = np.diff(level)
rise.max()

# %%
# change against the day before
change = {d: int(r) for d, r in zip(days, rise, strict=True)}
change

# %% [repaired]
# change against the day before
change = {d: int(r) for d, r in zip(days[1:], rise, strict=True)}
change

# %%
worst_day = max(change, key=change.get)
print("strongest rise on", worst_day)
