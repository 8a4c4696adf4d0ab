# group: data
# seen: 2026-11-28
# fails: TypeError: dtype 'str' does not support operation 'mean'
# cause: The quantities column holds thousands separators ("1,200"), so read_csv leaves it as strings; the mean by
#   region fails two cells later.
# holds: by_region.loc["North","units"] -> np.float64(748.75)
# holds: by_region.loc["South","units"] -> np.float64(1158.25)
# holds: float(top_units) -> 2050.0
# holds: len(sales) -> 8

# %% [markdown]
# # Monthly sales report
# Export from the back-office, one line per shop and month.

# %%
import io
import pandas as pd
import matplotlib.pyplot as plt

pd.set_option("display.width", 120)

# %%
raw = """shop,region,month,units,price
S01,North,2024-01,850,12.5
S01,North,2024-02,"1,200",12.5
S02,North,2024-01,430,11.9
S02,North,2024-02,515,11.9
S03,South,2024-01,"2,050",9.9
S03,South,2024-02,1975,9.9
S04,South,2024-01,310,14.0
S04,South,2024-02,298,14.0
"""
sales = pd.read_csv(io.StringIO(raw), parse_dates=["month"])
sales.head()

# %% [repaired]
raw = """shop,region,month,units,price
S01,North,2024-01,850,12.5
S01,North,2024-02,"1,200",12.5
S02,North,2024-01,430,11.9
S02,North,2024-02,515,11.9
S03,South,2024-01,"2,050",9.9
S03,South,2024-02,1975,9.9
S04,South,2024-01,310,14.0
S04,South,2024-02,298,14.0
"""
sales = pd.read_csv(io.StringIO(raw), parse_dates=["month"], thousands=",")
sales.head()

# %%
sales["shop"].nunique(), sales["month"].min(), sales["month"].max()

# %%
# nicer labels for the plot
sales["label"] = sales["shop"] + " (" + sales["region"].str[0] + ")"
sales = sales.sort_values(["region", "shop", "month"]).reset_index(drop=True)
sales.tail(3)

# %%
by_region = sales.groupby("region")[["units", "price"]].mean()
by_region

# %%
top_units = sales["units"].max()
by_region["units"].plot.bar(title="mean units per region")
plt.tight_layout()
