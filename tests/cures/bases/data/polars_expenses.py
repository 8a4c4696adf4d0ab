# library: polars
# needs: polars
# compare: monthly, top, share, wide_total, over

# %%
import polars as pl

rows = [
    ("2024-01-03", "rent", "flat", 820.0), ("2024-01-05", "food", "market", 54.2), ("2024-01-19", "fun", "cinema", 18.5),
    ("2024-02-02", "rent", "flat", 820.0), ("2024-02-11", "food", "market", 61.9), ("2024-02-12", "food", "bakery", 7.8),
    ("2024-03-01", "rent", "flat", 840.0), ("2024-03-08", "travel", "train", 96.0), ("2024-03-21", "food", "market", 49.1),
]
expenses = pl.DataFrame(rows, schema=["date", "category", "shop", "amount"], orient="row")
expenses.head()

# %%
expenses = expenses.with_columns(pl.col("date").str.strptime(pl.Date, "%Y-%m-%d"))
expenses = expenses.with_columns(pl.col("date").dt.month().alias("month"), (pl.col("amount") * 1.08).round(2).alias("dollars"))
print(expenses.shape)

# %%
monthly = expenses.group_by("month").agg(pl.col("amount").sum().alias("total"), pl.len().alias("n")).sort("month")
monthly

# %%
top = expenses.filter(pl.col("category") != "rent").sort("amount", descending=True).head(3)
for row in top.iter_rows(named=True):
    print(row["shop"], row["amount"])

# %%
by_category = expenses.group_by("category").agg(pl.col("amount").sum()).sort("amount", descending=True)
share = by_category.with_columns((pl.col("amount") / pl.col("amount").sum() * 100).round(1).alias("percent"))
share

# %%
budget = pl.DataFrame({"category": ["rent", "food", "fun", "travel"], "limit": [2500.0, 150.0, 60.0, 90.0]})
over = by_category.join(budget, on="category", how="left").with_columns(left=pl.col("limit") - pl.col("amount"))
over = over.filter(pl.col("left") < 0)
over["category"].to_list()

# %%
wide = expenses.pivot("month", index="category", values="amount", aggregate_function="sum").fill_null(0)
wide_total = wide.select(pl.sum_horizontal(pl.exclude("category")).alias("total"))["total"].sum()
wide_total
