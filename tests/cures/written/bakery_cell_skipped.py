# group: data
# seen: 2026-11-29e
# fails: KeyError: 'revenue'
# cause: the cell that makes the column revenue was not run in this session.
# order: 1, 2, 4
# again: 1, 2, 3, 4, 5
# holds: round(float(top["revenue"].iloc[0]), 2) -> 403.2
# holds: top.index.tolist() -> ['rye bread', 'croissant']

# %%
import pandas as pd

# %%
bakery = pd.DataFrame({"item": ["roll", "rye bread", "croissant", "cake", "pretzel"],
                       "price": [0.45, 4.2, 1.6, 2.9, 0.95],
                       "sold": [820, 96, 240, 75, 310]}).set_index("item")
bakery

# %%
bakery["revenue"] = bakery["price"] * bakery["sold"]
bakery.head()

# %%
top = bakery.sort_values("revenue", ascending=False).head(2)
print(top)

# %%
print("share of top two:", round(top["revenue"].sum() / bakery["revenue"].sum(), 3))
