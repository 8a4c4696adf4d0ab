# group: data
# seen: 2026-11-29d
# fails: ValueError: left keys must be sorted
# cause: the orders of the two shops are stuck together and are not in the order of time, which merge_asof needs;
#   sort them by time after the concat.
# holds: orders["when"].is_monotonic_increasing -> True
# holds: len(priced) -> 5
# holds: priced.groupby("shop")["eur"].sum().round(2).to_dict() -> {'A': 61.75, 'B': 100.08}

# %%
import pandas as pd

# %%
shop_a = pd.DataFrame({"when": pd.to_datetime(["2025-04-01 09:00", "2025-04-01 12:30", "2025-04-02 10:10"]), "usd": [20.0, 35.0, 12.0], "shop": "A"})
shop_b = pd.DataFrame({"when": pd.to_datetime(["2025-04-01 08:15", "2025-04-02 09:45"]), "usd": [99.0, 10.0], "shop": "B"})
rates = pd.DataFrame({"when": pd.to_datetime(["2025-04-01 00:00", "2025-04-01 10:00", "2025-04-02 00:00"]), "rate": [0.92, 0.93, 0.90]})

# %%
orders = pd.concat([shop_a, shop_b], ignore_index=True)
orders

# %% [repaired]
orders = pd.concat([shop_a, shop_b], ignore_index=True).sort_values("when", ignore_index=True)
orders

# %%
print("orders:", len(orders), " usd:", orders.usd.sum())

# %%
priced = pd.merge_asof(orders, rates, on="when")
priced["eur"] = priced["usd"] * priced["rate"]
priced
