# group: data
# seen: 2026-11-30h
# fails: ValueError: time data "13/03/2020" doesn't match format "%m/%d/%Y". You might want to try:
# cause: the dates are day/month/year, but the format string says month/day/year.
# holds: str(cases["date"].min().date()) -> '2020-03-01'
# holds: str(cases["date"].max().date()) -> '2020-05-14'
# holds: monthly.tolist() -> [924, 861, 384]

# %% [markdown]
# Daily new cases, export of the health office

# %%
import pandas as pd
import numpy as np

# %%
days = pd.date_range("2020-03-01", periods=75)
rs = np.random.RandomState(19)
cases = pd.DataFrame({"date": days.strftime("%d/%m/%Y"), "new": rs.poisson(30, len(days))})
cases.head(15)

# %%
cases["date"] = pd.to_datetime(cases["date"], format="%m/%d/%Y")

# %% [repaired]
cases["date"] = pd.to_datetime(cases["date"], format="%d/%m/%Y")

# %%
monthly = cases.groupby(cases["date"].dt.month)["new"].sum()
monthly

# %%
print(f"first day {cases['date'].min():%d %b %Y}, total {cases['new'].sum()}")
