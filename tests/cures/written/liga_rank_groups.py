# group: data
# seen: 2026-11-29d
# fails: KeyError: "None of ['league'] are in the columns"
# cause: groupby(...).apply no longer hands the grouping column to the function, and group_keys=False throws the keys
#   away, so table has no league; keep the keys and bring them back with reset_index.
# holds: sorted(table["league"].unique().tolist()) -> ['A', 'B']
# holds: table.shape -> (7, 6)
# holds: best.to_dict() -> {'A': 'Blitz', 'B': 'Fortuna'}

# %%
import pandas as pd

# %%
clubs = pd.DataFrame({
    "league": ["A", "A", "A", "B", "B", "B", "B"],
    "club": ["Adler", "Blitz", "Chemie", "Dynamo", "Eintracht", "Fortuna", "Glanz"],
    "points": [31, 44, 28, 39, 39, 52, 12],
    "goals": [40, 51, 33, 47, 45, 60, 22],
})
clubs

# %%
def add_rank(g):
    g = g.sort_values(["points", "goals"], ascending=False)
    g["rank"] = range(1, len(g) + 1)
    g["behind"] = g["points"].max() - g["points"]
    return g

# %%
table = clubs.groupby("league", group_keys=False).apply(add_rank)
table.head()

# %% [repaired]
table = clubs.groupby("league").apply(add_rank).reset_index(level="league")
table.head()

# %%
print("goals in all:", table["goals"].sum())

# %%
best = table[table["rank"] == 1].set_index("league")["club"]
best
