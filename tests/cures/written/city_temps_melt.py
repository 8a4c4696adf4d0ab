# group: data
# seen: 2026-11-29e
# fails: KeyError: "The following id_vars or value_vars are not present in the DataFrame: ['city']"
# cause: after pivot_table the city is the index, not a column; it needs reset_index before melt.
# holds: long.shape -> (18, 3)
# holds: list(long.columns) -> ['city', 'month', 'anomaly']
# holds: sorted(long["city"].unique()) -> ['Cairo', 'Oslo', 'Rome']

# %% [markdown]
# ## Monthly temperatures, wide <-> long

# %%
import pandas as pd, numpy as np
import matplotlib.pyplot as plt
np.random.seed(0)

# %%
cities = ["Oslo", "Rome", "Cairo"]
raw = pd.DataFrame([(c, m, round(base + 8 * np.sin(m / 2) + np.random.randn(), 1))
                    for c, base in zip(cities, [5, 15, 24]) for m in range(1, 7)],
                   columns=["city", "month", "temp"])
raw.head(8)

# %%
wide = raw.pivot_table(index="city", columns="month", values="temp")
wide

# %%
# per-city anomaly
anom = wide.sub(wide.mean(axis=1), axis=0)
anom.round(2)

# %%
long = anom.melt(id_vars="city", var_name="month", value_name="anomaly")
long.head()

# %% [repaired]
long = anom.reset_index().melt(id_vars="city", var_name="month", value_name="anomaly")
long.head()

# %%
for c, part in long.groupby("city"):
    plt.plot(part["month"], part["anomaly"], label=c)
plt.legend(); plt.show()
