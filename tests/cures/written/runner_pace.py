# group: data
# seen: 2026-11-29b
# fails: TypeError: 'numpy.float64' object is not callable
# cause: an earlier cell stores the slowest pace under the name max and hides the builtin function.
# holds: gaps -> [0.2, 1.0, 0.3]
# holds: float(biggest) -> 1.0

# %%
import pandas as pd
runs = pd.DataFrame({"km": [5, 8, 10, 12],
                     "minutes": [26.0, 43.2, 64.0, 73.2]})
runs["pace"] = runs.minutes / runs.km
runs

# %%
min = runs["pace"].min()
max = runs["pace"].max()
print(f"pace from {min:.2f} to {max:.2f} min/km")

# %% [repaired]
pace_min = runs["pace"].min()
pace_max = runs["pace"].max()
print(f"pace from {pace_min:.2f} to {pace_max:.2f} min/km")

# %%
gaps = []
p = runs["pace"].tolist()
for i in range(1, len(p)):
    gaps.append(round(abs(p[i] - p[i - 1]), 2))
gaps

# %%
biggest = max(gaps)
print("largest change of pace:", biggest)
