# group: data
# seen: 2026-11-29b
# fails: RecursionError: maximum recursion depth exceeded
# cause: a string is iterable too and its single characters again, so flatten() never ends; strings have to be taken as leaves.
# holds: flat -> ['flour', 'egg', 'milk', 'salt', 'egg', 'sugar']
# holds: counts["egg"] -> 2

# %%
from collections import Counter
from collections.abc import Iterable
import pandas as pd

# %%
cake = ["flour", ["egg", "milk", ["salt"]], ("egg", "sugar")]
cake

# %%
def flatten(x):
    out = []
    for part in x:
        if isinstance(part, Iterable):
            out.extend(flatten(part))
        else:
            out.append(part)
    return out

print(flatten([1, [2, 3, (4,)], 5]))

# %% [repaired]
def flatten(x):
    out = []
    for part in x:
        if isinstance(part, Iterable) and not isinstance(part, str):
            out.extend(flatten(part))
        else:
            out.append(part)
    return out

print(flatten([1, [2, 3, (4,)], 5]))

# %%
flat = flatten(cake)
flat

# %%
counts = Counter(flat)
pd.Series(counts, name="times").sort_values(ascending=False)
