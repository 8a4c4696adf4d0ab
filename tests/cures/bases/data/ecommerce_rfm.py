# library: pandas
# needs: numpy, pandas
# compare: segments, rfm_head, champions

# %%
import sqlite3
import numpy as np
import pandas as pd

con = sqlite3.connect("shop.db")
r = np.random.default_rng(99)
m = 500
pd.DataFrame({
    "InvoiceNo": 536365 + r.integers(0, 160, m),
    "CustomerID": r.integers(12340, 12380, m).astype(float),
    "Quantity": r.integers(-1, 12, m),
    "UnitPrice": r.choice([0.85, 1.25, 2.55, 3.75, 7.95], m),
    "InvoiceDate": (pd.Timestamp("2011-09-01") + pd.to_timedelta(r.integers(0, 100 * 24, m), unit="h")).astype(str),
}).to_sql("transactions", con, index=False, if_exists="replace")

# %%
query = "SELECT * FROM transactions WHERE Quantity > 0"
tx = pd.read_sql(query, con, parse_dates=["InvoiceDate"])
tx.head()

# %%
tx.info()

# %%
tx["CustomerID"] = tx["CustomerID"].astype(int)
tx["TotalPrice"] = tx.Quantity * tx.UnitPrice
snapshot = tx.InvoiceDate.max() + pd.Timedelta(days=1)
snapshot

# %%
rfm = tx.groupby("CustomerID").agg({
    "InvoiceDate": lambda d: (snapshot - d.max()).days,
    "InvoiceNo": "nunique",
    "TotalPrice": "sum",
})
rfm.rename(columns={"InvoiceDate": "Recency", "InvoiceNo": "Frequency", "TotalPrice": "Monetary"}, inplace=True)
rfm_head = rfm.head()
rfm_head

# %%
rfm["R"] = pd.qcut(rfm["Recency"], 4, labels=[4, 3, 2, 1]).astype(int)
rfm["F"] = pd.qcut(rfm["Frequency"].rank(method="first"), 4, labels=[1, 2, 3, 4]).astype(int)
rfm["M"] = pd.qcut(rfm["Monetary"], 4, labels=[1, 2, 3, 4]).astype(int)
rfm["Score"] = rfm[["R", "F", "M"]].sum(axis=1)

# %%
def segment(row):
    if row["Score"] >= 10:
        return "champion"
    elif row["Score"] >= 7:
        return "loyal"
    elif row["R"] <= 1:
        return "lost"
    return "casual"

rfm["Segment"] = rfm.apply(segment, axis=1)
segments = rfm["Segment"].value_counts().sort_index()
champions = sorted(rfm[rfm.Segment == "champion"].index)
con.close()
segments

