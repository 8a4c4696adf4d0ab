# group: data
# seen: 2026-11-29b
# fails: AttributeError: Can only use .str accessor with string values, not integer
# cause: read_csv made numbers of the postal codes (and lost the leading zeros); they have to be read as text.
# holds: shops["zip"].tolist()[0] -> '01067'
# holds: shops["region"].tolist() -> ['01', '04', '80', '01']
# holds: {k: int(v) for k, v in sales.items()} -> {'01': 190, '04': 75, '80': 210}

# %%
from io import StringIO
import pandas as pd

csv_text = """shop,zip,sales
Altstadt,01067,120
Markt,04109,75
Isar,80331,210
Neustadt,01099,70
"""

# %%
shops = pd.read_csv(StringIO(csv_text))
shops.head()

# %% [repaired]
shops = pd.read_csv(StringIO(csv_text), dtype={"zip": str})
shops.head()

# %% [markdown]
# the first two digits are the region

# %%
shops["region"] = shops["zip"].str[:2]

# %%
sales = shops.groupby("region")["sales"].sum()
print(sales)
