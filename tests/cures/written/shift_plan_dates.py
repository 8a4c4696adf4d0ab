# group: data
# seen: 2026-11-30f
# fails: AttributeError: type object 'datetime.datetime' has no attribute 'datetime'
# cause: `from datetime import datetime, timedelta` in a later cell replaces the module `datetime` by the class of the same name; datetime.datetime does not exist on it.
# holds: (first.day, first.hour) -> (7, 6)
# holds: len(shifts) -> 9
# holds: (shifts[-1][0].day, shifts[-1][0].hour) -> (9, 22)

# %%
import datetime
import pandas as pd

# %%
today = datetime.date(2026, 9, 7)
staff = ["Ana", "Bo", "Chidi"]
print(today.strftime("%A"), len(staff), "people")

# %%
from datetime import datetime, timedelta
SHIFT = timedelta(hours=8)
SHIFT * 3

# %% [repaired]
from datetime import timedelta
SHIFT = timedelta(hours=8)
SHIFT * 3

# %%
first = datetime.datetime(2026, 9, 7, 6, 0)
shifts = []
for i in range(9):
    shifts.append((first + i * SHIFT, staff[i % len(staff)]))

# %%
plan = pd.DataFrame(shifts, columns=["start", "who"])
plan
