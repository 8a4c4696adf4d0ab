# group: data
# seen: 2026-11-30h
# fails: ValueError: could not convert string to float: '$1,250.00'
# cause: the price strings have a dollar sign and thousands commas, which astype(float) can't parse; both must be removed.
# holds: str(listings["price"].dtype) -> 'float64'
# holds: float(listings["price"].max()) -> 2000.0
# holds: float(listings["price"].sum()) -> 3721.5

# %%
import io
import pandas as pd
import matplotlib.pyplot as plt

# %%
raw = """id,room_type,price,reviews
1,Entire home,"$1,250.00",12
2,Private room,$75.00,40
3,Private room,$62.50,3
4,Entire home,$210.00,88
5,Shared room,$25.00,0
6,Entire home,"$2,000.00",1
7,Private room,$99.00,17
"""
listings = pd.read_csv(io.StringIO(raw))
listings.info()

# %%
# price is object??? convert
listings["price"] = listings["price"].astype(float)
listings["price"].describe()

# %% [repaired]
# price is object??? convert
listings["price"] = listings["price"].str.replace("$", "", regex=False).str.replace(",", "", regex=False).astype(float)
listings["price"].describe()

# %%
listings.groupby("room_type")["price"].mean()

# %%
listings["price"].hist(bins=5)
plt.xlabel("USD / night")
plt.show()
