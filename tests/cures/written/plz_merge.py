# group: data
# seen: 2026-11-29c
# fails: ValueError: You are trying to merge on int64 and str columns for key 'plz'. If you wish to proceed you should use pd.concat
# cause: the customers file is read without dtype for plz, so the codes become integers (and lose leading zeros) while the
#   region list keeps them as text.
# holds: customers["plz"].iloc[0] -> '01067'
# holds: int(joined["state"].isna().sum()) -> 0
# holds: spend["Sachsen"].item() -> 693.0

# %%
import io
import pandas as pd

# %%
customers_csv = """kunde;plz;umsatz
1001;01067;250.0
1002;80331;99.5
1003;04109;410.0
1004;20095;75.0
1005;01067;33.0
1006;80331;120.5
"""
regions_csv = """plz;state
01067;Sachsen
04109;Sachsen
20095;Hamburg
80331;Bayern
"""

# %%
customers = pd.read_csv(io.StringIO(customers_csv), sep=";")
customers

# %% [repaired]
customers = pd.read_csv(io.StringIO(customers_csv), sep=";", dtype={"plz": str})
customers

# %%
regions = pd.read_csv(io.StringIO(regions_csv), sep=";", dtype=str)
print(len(regions), "postcodes")

# %%
joined = customers.merge(regions, on="plz", how="left")
joined.head()

# %%
spend = joined.groupby("state")["umsatz"].sum().sort_values(ascending=False)
spend
