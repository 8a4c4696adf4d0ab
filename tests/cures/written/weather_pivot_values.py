# group: data
# seen: 2026-11-29d
# fails: KeyError: 'Rome'
# cause: pivot with values=["temp"] (a list) makes two column levels, so the city names are not top-level columns;
#   values="temp" gives plain columns.
# holds: list(wide.columns) -> ['Berlin', 'Oslo', 'Rome', 'gap']
# holds: wide.columns.nlevels -> 1
# holds: round(float(wide["gap"].mean()), 2) -> 10.73

# %%
import pandas as pd
import numpy as np
import matplotlib.pyplot as plt
import seaborn as sns

# %%
rng = np.random.default_rng(99)
days = pd.date_range("2025-06-01", periods=30)
rows = []
for city, base in [("Oslo", 15), ("Rome", 26), ("Berlin", 20)]:
    for d in days:
        rows.append((d, city, round(base + rng.normal(0, 2.5), 1), round(rng.uniform(30, 90))))
temps = pd.DataFrame(rows, columns=["day", "city", "temp", "hum"])
temps.sample(4, random_state=1)

# %%
wide = temps.pivot(index="day", columns="city", values=["temp"])
wide.tail(3)

# %% [repaired]
wide = temps.pivot(index="day", columns="city", values="temp")
wide.tail(3)

# %%
sns.boxplot(data=temps, x="city", y="temp")
plt.show()

# %%
wide["gap"] = wide["Rome"] - wide["Oslo"]
fig, ax = plt.subplots()
wide["gap"].plot(ax=ax)
plt.show()
