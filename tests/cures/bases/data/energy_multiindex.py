# library: pandas
# needs: numpy, pandas
# compare: by_country, renewables_share, swing

# %%
import numpy as np
import pandas as pd

countries = ["DE", "FR", "NO"]
sources = ["wind", "solar", "coal", "nuclear", "hydro"]
years = range(2018, 2023)
rng = np.random.default_rng(77)
index = pd.MultiIndex.from_product([countries, years, sources], names=["country", "year", "source"])
energy = pd.DataFrame({"twh": rng.uniform(1, 120, len(index)).round(1)}, index=index)
energy.loc[("NO", slice(None), "coal"), "twh"] = 0
energy.to_csv("energy.csv")

# %%
df = pd.read_csv("energy.csv").set_index(["country", "year", "source"]).sort_index()
df.head(6)

# %%
df.loc["DE"].loc[2020]

# %%
df.xs("wind", level="source").unstack("country")

# %%
by_country = df.groupby(level=["country", "year"])["twh"].sum().unstack("year").round(1)
by_country

# %%
green = ["wind", "solar", "hydro"]
flat = df.reset_index()
share = (
    flat.assign(green=flat["source"].isin(green))
        .pivot_table(index="year", columns="country", values="twh", aggfunc="sum", fill_value=0)
)
green_only = flat[flat["source"].isin(green)].pivot_table(index="year", columns="country", values="twh", aggfunc="sum")
renewables_share = (green_only / share).round(3)
renewables_share

# %%
swing = {}
for country, part in df.groupby(level="country"):
    totals = part.groupby("source")["twh"].agg(["min", "max"])
    totals["range"] = totals["max"] - totals["min"]
    swing[country] = totals["range"].idxmax()
swing

