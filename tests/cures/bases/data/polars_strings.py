# library: polars
# needs: polars
# compare: parsed, per_month, cond

# %%
import polars as pl

df = pl.DataFrame({
    "booking": ["2024-01-15|Rome|2", "2024-01-20|Oslo|1", "2024-02-03|Rome|4", "2024-02-28|Lima|2", "2024-03-01|Oslo|3"],
    "email": ["A.B@x.org", None, "c@y.com", "d@x.org", "e@z.net"],
})
df

# %%
parts = df["booking"].str.split_exact("|", 2).struct.rename_fields(["day", "city", "guests"]).alias("p").to_frame().unnest("p")
parsed = pl.concat([parts, df.select(pl.col("email").str.to_lowercase())], how="horizontal").with_columns(
    pl.col("day").str.to_date("%Y-%m-%d"),
    pl.col("guests").cast(pl.Int64),
)
parsed.schema

# %%
per_month = (
    parsed.with_columns(month=pl.col("day").dt.month())
    .group_by("month")
    .agg(pl.col("guests").sum(), pl.col("city").unique().sort().alias("cities"))
    .sort("month")
)
per_month

# %%
price = pl.when(pl.col("city") == "Oslo").then(180).when(pl.col("guests") > 3).then(90).otherwise(120)
cond = parsed.with_columns(total=price * pl.col("guests")).select("city", "total")
print(cond["total"].sum(), parsed["email"].null_count())

# %%
cities = parsed["city"].to_list()
by_city = {k[0]: v.height for k, v in parsed.group_by("city", maintain_order=True)} if cities else {}
by_city

