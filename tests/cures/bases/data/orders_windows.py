# library: pandas
# needs: pandas
# compare: running, first_orders, cohort

# %%
import pandas as pd
from io import StringIO

orders_csv = """order_id,customer,order_date,amount,status
1,ana,2023-01-05,20.0,paid
2,bob,2023-01-06,35.5,paid
3,ana,2023-01-20,15.0,refunded
4,cat,2023-02-02,80.0,paid
5,bob,2023-02-14,12.5,paid
6,ana,2023-02-28,60.0,paid
7,dan,2023-03-03,5.0,cancelled
8,cat,2023-03-10,42.0,paid
9,bob,2023-03-15,18.0,paid
"""
orders = pd.read_csv(StringIO(orders_csv), parse_dates=["order_date"], index_col="order_id")
orders

# %%
orders["status"].unique()

# %%
paid = orders[orders["status"] == "paid"].copy()
paid["month"] = paid["order_date"].dt.strftime("%Y-%m")
paid["n"] = paid.groupby("customer").cumcount() + 1
paid["running"] = paid.groupby("customer")["amount"].cumsum()
running = paid[["customer", "n", "running"]]
running

# %%
first_orders = paid.sort_values("order_date").drop_duplicates("customer", keep="first").set_index("customer")["order_date"]
first_orders

# %%
paid["cohort"] = paid["customer"].map(first_orders).dt.strftime("%Y-%m")
cohort = paid.groupby(["cohort", "month"])["customer"].nunique().unstack(fill_value=0)
cohort

# %%
gap = paid.sort_values(["customer", "order_date"]).groupby("customer")["order_date"].diff().dt.days
print("mean days between orders:", round(gap.mean(), 1))
big = paid.nlargest(2, "amount").loc[:, ["customer", "amount"]]
big

