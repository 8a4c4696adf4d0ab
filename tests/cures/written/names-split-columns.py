# group: data
# seen: 2026-11-30h
# fails: ValueError: Columns must be same length as key
# cause: one customer has a middle name, so the split gives three columns for two names; split only at the last blank
#   (rsplit with n=1), the surname is the last word as the note says.
# holds: cust["last"].tolist() -> ['Lopez', 'Smith', 'Vogt', 'Chen', 'Haddad']
# holds: cust["first"].tolist() -> ['Maria', 'John', 'Anna Lena', 'Wei', 'Omar']
# holds: cust["login"].is_unique -> True

# %%
import pandas as pd

# %%
# last word is always the surname, everything before = first name(s)
cust = pd.DataFrame({
    "full_name": ["Maria Lopez", "John Smith", "Anna Lena Vogt", "Wei Chen", "Omar Haddad"],
    "spent": [120.0, 35.5, 80.0, 12.25, 300.0],
})
print(cust.shape)

# %%
cust[["first", "last"]] = cust["full_name"].str.split(" ", expand=True)
cust

# %% [repaired]
cust[["first", "last"]] = cust["full_name"].str.rsplit(" ", n=1, expand=True)
cust

# %%
cust["login"] = cust["first"].str[0].str.lower() + cust["last"].str.lower()
cust[["full_name", "login"]]

# %%
top = cust.sort_values("spent", ascending=False).iloc[0]
print(f"best customer: {top['last']}, {top['first']} ({top['spent']:.2f})")
