# group: data
# seen: 2026-11-30g
# fails: KeyError: ('east',)
# cause: grouping by a list of one key gives one-element tuples as the names of the groups, so the lookup in the dict
#   misses; group by the plain column name.
# holds: result["region"].tolist() -> ['east', 'north', 'south']
# holds: result["pct"].tolist() -> [130.0, 117.5, 92.0]

# %%
import pandas as pd

# %%
orders = pd.DataFrame(dict(
    region=["north", "south", "north", "east", "south", "east", "north"],
    rep=["Ann", "Bob", "Cid", "Dee", "Bob", "Eli", "Ann"],
    amount=[1200, 800, 450, 990, 1500, 310, 700],
))
quotas = {"north": 2000, "south": 2500, "east": 1000}
orders

# %%
# this was fine on my old laptop (pandas 1.3)
result = []
for name, grp in orders.groupby(["region"]):
    total = grp["amount"].sum()
    quota = quotas[name]
    result.append({"region": name, "total": total, "pct": round(100 * total / quota, 1)})

# %% [repaired]
# this was fine on my old laptop (pandas 1.3)
result = []
for name, grp in orders.groupby("region"):
    total = grp["amount"].sum()
    quota = quotas[name]
    result.append({"region": name, "total": total, "pct": round(100 * total / quota, 1)})

# %%
result = pd.DataFrame(result)
result.sort_values("pct", ascending=False)

# %%
print("regions over quota:", (result.pct >= 100).sum())
