# group: data
# seen: 2026-11-28
# fails: TypeError: 'NoneType' object is not subscriptable
# cause: clean() ends with drop_duplicates(..., inplace=True), whose None it returns; the frame is None when it is
#   used two cells later.
# holds: len(users) -> 4
# holds: domains.to_dict() -> {'corp.com': 2, 'mail.org': 2}
# holds: users["email"].str.isupper().any() -> np.False_

# %%
import pandas as pd

# %%
def load():
    return pd.DataFrame({
        "name": ["Ann Lee", "bob stone", "ANN LEE", "Cy Young", "dora m", "Eve"],
        "email": ["ann@corp.com", "bob@mail.org", "Ann@Corp.com ", "cy@corp.com", "dora@mail.org", None],
        "age": [31, 45, 31, 28, None, 39],
    })

users_raw = load()
users_raw

# %%
def clean(df):
    df = df.copy()
    df["email"] = df["email"].str.strip().str.lower()
    df["name"] = df["name"].str.title()
    df = df.dropna(subset=["email"])
    df["age"] = df["age"].fillna(df["age"].median())
    return df.drop_duplicates(subset="email", inplace=True)

# %% [repaired]
def clean(df):
    df = df.copy()
    df["email"] = df["email"].str.strip().str.lower()
    df["name"] = df["name"].str.title()
    df = df.dropna(subset=["email"])
    df["age"] = df["age"].fillna(df["age"].median())
    return df.drop_duplicates(subset="email")

# %%
users = clean(users_raw)
print("before:", len(users_raw))

# %%
domains = users["email"].str.split("@").str[1].value_counts()
domains

# %%
users.groupby(users["age"] > 35)["name"].agg(list)
