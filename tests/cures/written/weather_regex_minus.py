# group: data
# seen: 2026-11-29e
# fails: AttributeError: 'NoneType' object has no attribute 'group'
# cause: the pattern doesn't allow a minus sign, so negative temperatures don't match and match gives None.
# holds: [t for _, t in temps] -> [-12.5, 3.0, -4.1, 5.7]
# holds: len(temps) -> 4
# holds: coldest -> 'Kiruna'

# %%
import re

# %%
report = [
    "Kiruna: -12.5 C, snow",
    "Lund: 3.0 C, rain",
    "Umea: -4.1 C, clouds",
    "Visby: 5.7 C, sun",
]

# %%
pat = re.compile(r"(\w+): (\d+\.\d+) C")
pat.match(report[1]).groups()

# %% [repaired]
pat = re.compile(r"(\w+): (-?\d+\.\d+) C")
pat.match(report[1]).groups()

# %%
temps = []
for line in report:
    m = pat.match(line)
    temps.append((m.group(1), float(m.group(2))))
temps

# %%
coldest = min(temps, key=lambda p: p[1])[0]
print("coldest:", coldest)
