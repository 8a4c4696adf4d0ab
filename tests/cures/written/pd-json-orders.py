# group: data
# seen: 2026-11-28
# fails: KeyError: "Key 'items' not found. If specifying a record_path, all elements of data should have the path."
# cause: One of the orders in the API answer has no "items" key (cancelled), so json_normalize with record_path
#   fails; the payload was pieced together in an earlier cell.
# holds: len(items) -> 4
# holds: round(float(totals.sum()),2) -> 74.5
# holds: sorted(totals.index.tolist()) -> ['Lille', 'Lyon', 'Nantes']

# %% [markdown]
# ### Orders from the shop API (saved response)

# %%
import json
import pandas as pd

# %%
response_pages = ['''
{"page": 1, "next": 2, "results": [
  {"id": 9001, "status": "paid", "customer": {"id": 7, "city": "Lyon"},
   "items": [{"sku": "A-1", "qty": 2, "price": 9.5}, {"sku": "B-4", "qty": 1, "price": 30}]},
  {"id": 9002, "status": "paid", "customer": {"id": 3, "city": "Nantes"},
   "items": [{"sku": "A-1", "qty": 1, "price": 9.5}]}
]}''', '''
{"page": 2, "next": null, "results": [
  {"id": 9003, "status": "cancelled", "customer": {"id": 7, "city": "Lyon"}},
  {"id": 9004, "status": "paid", "customer": {"id": 11, "city": "Lille"},
   "items": [{"sku": "C-2", "qty": 5, "price": 3.2}]}
]}''']

# %%
pages = [json.loads(p) for p in response_pages]
orders = [o for page in pages for o in page["results"]]
print(len(orders), "orders,", sum(o["status"] == "paid" for o in orders), "paid")

# %% [repaired]
pages = [json.loads(p) for p in response_pages]
orders = [{"items": [], **o} for page in pages for o in page["results"]]
print(len(orders), "orders,", sum(o["status"] == "paid" for o in orders), "paid")

# %%
def explode_items(orders):
    """one row per order line"""
    return pd.json_normalize(
        orders, record_path="items",
        meta=["id", "status", ["customer", "city"]],
    )

# %%
items = explode_items(orders)
items["amount"] = items["qty"] * items["price"]
items

# %%
totals = items.groupby("customer.city")["amount"].sum().sort_values(ascending=False)
totals
