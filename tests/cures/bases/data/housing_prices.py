# library: pandas
# needs: numpy, pandas
# compare: by_area, price_per_sqm, n_missing

# %%
import pandas as pd
import numpy as np

rng = np.random.default_rng(7)
n = 240
areas = ["Northgate", "Harbour", "Old Town", "Riverside"]
raw = pd.DataFrame({
    "Id": np.arange(1, n + 1),
    "Area": rng.choice(areas, n),
    "SqM": rng.integers(28, 190, n),
    "Rooms": rng.integers(1, 7, n),
    "YearBuilt": rng.integers(1905, 2022, n),
    "Heating": rng.choice(["gas", "district", None], n, p=[0.5, 0.3, 0.2]),
})
raw["SalePrice"] = (raw["SqM"] * 3100 + raw["Rooms"] * 8000 + rng.normal(0, 25000, n)).round(-2)
raw.loc[rng.choice(n, 15, replace=False), "Rooms"] = np.nan
raw.to_csv("houses.csv", index=False)

# %%
df = pd.read_csv("houses.csv")
df.head()

# %%
df.info()

# %%
df.describe()

# %%
n_missing = df.isnull().sum()
n_missing

# %%
df["Rooms"] = df["Rooms"].fillna(df["Rooms"].median())
df["Heating"] = df["Heating"].fillna("unknown")
df["Age"] = 2024 - df["YearBuilt"]
df["PricePerSqM"] = df["SalePrice"] / df["SqM"]
df.shape

# %%
price_per_sqm = df.groupby("Area")["PricePerSqM"].mean().round(2)
price_per_sqm.sort_values(ascending=False)

# %%
by_area = df.groupby("Area").agg(
    homes=("Id", "count"),
    median_price=("SalePrice", "median"),
    oldest=("YearBuilt", "min"),
).sort_values("median_price")
by_area

