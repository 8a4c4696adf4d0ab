# library: pandas
# needs: numpy, pandas
# compare: pivot, growth, top_products

# %%
import pandas as pd
import numpy as np
import json

# %%
np.random.seed(11)
products = pd.DataFrame({
    "product_id": [101, 102, 103, 104],
    "name": ["Kettle", "Toaster", "Blender", "Lamp"],
    "unit_price": [29.9, 39.5, 54.0, 18.25],
})
orders = pd.DataFrame({
    "order_id": range(1, 301),
    "product_id": np.random.choice([101, 102, 103, 104], 300),
    "qty": np.random.randint(1, 5, 300),
    "date": pd.to_datetime("2023-01-01") + pd.to_timedelta(np.random.randint(0, 365, 300), unit="D"),
    "region": np.random.choice(["EU", "US", "APAC"], 300),
})
products.to_json("products.json", orient="records")
orders.to_csv("orders.csv", index=False)

# %%
orders = pd.read_csv("orders.csv", parse_dates=["date"])
products = pd.read_json("products.json")
print(orders.shape, products.shape)
orders.dtypes

# %%
df = orders.merge(products, on="product_id", how="left")
df["revenue"] = df["qty"] * df["unit_price"]
df["quarter"] = df["date"].dt.quarter
df.head()

# %%
pivot = df.pivot_table(index="region", columns="quarter", values="revenue", aggfunc="sum").round(1)
pivot

# %%
growth = pivot.pct_change(axis=1).drop(columns=1).round(3)
growth

# %%
top_products = (
    df.groupby("name")["revenue"].sum()
      .nlargest(2)
      .index.tolist()
)
summary = {"top": top_products, "total": round(float(df["revenue"].sum()), 2)}
with open("summary.json", "w") as f:
    json.dump(summary, f, indent=2)
print(open("summary.json").read())

