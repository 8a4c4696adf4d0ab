# library: pandas
# needs: numpy, pandas
# compare: latest, peak_week, duplicates

# %%
# -*- make the messy file first -*-
import numpy as np
import pandas as pd
rng = np.random.default_rng(2020)
dates = pd.date_range("2020-03-01", "2020-05-31")
out = []
for country, pop in [("Austria", 8.9), ("Chile", 19.1), (" Kenya", 53.8)]:
    new = rng.poisson(np.linspace(5, 300, len(dates)) * pop / 20)
    for d, c in zip(dates, new):
        out.append([d.strftime("%m/%d/%y"), country, f"{c:,}", pop])
messy = pd.DataFrame(out, columns=["Date", "Country ", "New Cases", "Population(M)"])
messy = pd.concat([messy, messy.iloc[10:14]])
messy.to_csv("covid.csv", index=False, encoding="utf-8")

# %%
df = pd.read_csv("covid.csv")
print(df.columns)
df.head()

# %%
df.columns = df.columns.str.strip().str.lower().str.replace(" ", "_").str.replace(r"[()]", "_", regex=True)
df.columns.tolist()

# %%
duplicates = int(df.duplicated().sum())
df = df.drop_duplicates()
df["country"] = df["country"].str.strip()
df["new_cases"] = df["new_cases"].astype(str).str.replace(",", "").astype(int)
df["date"] = pd.to_datetime(df["date"], format="%m/%d/%y")
df.info()

# %%
df = df.sort_values(["country", "date"])
df["total"] = df.groupby("country")["new_cases"].cumsum()
df["avg7"] = df.groupby("country")["new_cases"].transform(lambda x: x.rolling(7).mean())
df[df.country == "Chile"].tail(3)

# %%
latest = (df.groupby("country").last()
            .assign(per_million=lambda d: (d["total"] / d["population_m_"]).round(1))
            [["total", "per_million"]])
latest

# %%
weekly = df.set_index("date").groupby("country")["new_cases"].resample("W").sum().unstack(level=0)
peak_week = weekly.idxmax().dt.strftime("%Y-%m-%d").to_dict()
peak_week

