# group: data
# seen: 2026-11-29b
# fails: KeyError: 'price'
# cause: both tables have a column price, so merge() names them price_x and price_y; the paid price (from orders) is wanted.
# holds: round(float(full["revenue"].sum()), 2) -> 101.4
# holds: by_name.index[0] -> 'rye loaf'
# holds: round(float(by_name["croissant"]), 2) -> 16.4

# %% [markdown]
# # Bakery, week 12
# Revenue = quantity x the price the customer really paid (Friday evening is cheaper than the list).

# %%
import pandas as pd

# %%
orders = pd.DataFrame({
    "order_id": [1, 2, 3, 4, 5, 6],
    "sku": ["B1", "C2", "B1", "R3", "C2", "R3"],
    "qty": [3, 4, 2, 5, 6, 8],
    "price": [4.0, 2.0, 3.0, 5.0, 1.4, 5.25],   # paid per piece
})
catalog = pd.DataFrame({
    "sku": ["B1", "C2", "R3"],
    "name": ["baguette", "croissant", "rye loaf"],
    "price": [4.0, 2.0, 5.5],                    # list price
})
orders.head()

# %%
full = orders.merge(catalog, on="sku", how="left")
print(full.shape)

# %% [repaired]
full = orders.merge(catalog, on="sku", how="left", suffixes=("", "_list"))
print(full.shape)

# %%
full["revenue"] = full["qty"] * full["price"]
full

# %%
by_name = full.groupby("name")["revenue"].sum().sort_values(ascending=False)
by_name
