# library: pandas
# needs: pandas
# compare: stock, missing_parts, monthly_totals

# %%
import os
import glob
import pandas as pd

os.makedirs("deliveries", exist_ok=True)
lines = {
    "2023-01": "part,qty,price\nbolt,100,0.1\nnut,150,0.05\nwasher,80,0.02\n",
    "2023-02": "part,qty,price\nbolt,40,0.12\nnut,60,0.05\ngear,5,12.5\n",
    "2023-03": "part,qty,price\nwasher,200,0.02\ngear,3,12.9\nbelt,7,8.0\n",
}
for month, text in lines.items():
    with open(os.path.join("deliveries", f"{month}.csv"), "w") as f:
        f.write(text)

# %%
files = sorted(glob.glob("deliveries/*.csv"))
parts = []
for f in files:
    tmp = pd.read_csv(f)
    tmp["month"] = os.path.splitext(os.path.basename(f))[0]
    parts.append(tmp)
deliveries = pd.concat(parts, ignore_index=True)
deliveries.shape

# %%
deliveries["cost"] = deliveries["qty"] * deliveries["price"]
monthly_totals = deliveries.groupby("month")["cost"].sum().round(2)
monthly_totals

# %%
catalog = pd.DataFrame({"part": ["bolt", "nut", "washer", "gear", "belt", "spring"], "min_stock": [120, 250, 100, 10, 5, 20]})
stock = catalog.merge(deliveries.groupby("part", as_index=False)["qty"].sum(), on="part", how="left")
stock

# %%
stock["qty"] = stock["qty"].fillna(0).astype(int)
stock["order"] = (stock["min_stock"] - stock["qty"]).clip(lower=0)
missing_parts = stock.loc[stock["order"] > 0].set_index("part")["order"].to_dict()
missing_parts

