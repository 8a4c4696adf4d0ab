# group: data
# seen: 2026-11-29e
# fails: ValueError: invalid literal for int() with base 10: '1,204'
# cause: the sales column has a thousands comma so it's text; read_csv needs thousands=",".
# holds: int(sales["sales"].sum()) -> 8544
# holds: str(sales["sales"].dtype) -> 'int64'

# %%
import io
import pandas as pd

# %%
txt = '''store,week,sales
Nord,1,"1,204"
Nord,2,"980"
Sued,1,"2,310"
Sued,2,"2,275"
West,1,"760"
West,2,"1,015"
'''
sales = pd.read_csv(io.StringIO(txt))
sales

# %% [repaired]
txt = '''store,week,sales
Nord,1,"1,204"
Nord,2,"980"
Sued,1,"2,310"
Sued,2,"2,275"
West,1,"760"
West,2,"1,015"
'''
sales = pd.read_csv(io.StringIO(txt), thousands=",")
sales

# %%
print(sales.shape)
sales["store"].value_counts()

# %%
sales["sales"] = sales["sales"].astype(int)

# %%
per_store = sales.groupby("store")["sales"].sum()
print(per_store)
