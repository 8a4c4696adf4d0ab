# group: data
# seen: 2026-11-30g
# fails: TypeError: Object of type int64 is not JSON serializable
# cause: sum() and max() of a pandas column give NumPy integers, which the json module cannot write; make them Python ints.
# holds: json.loads(body)["visits"] -> 478
# holds: json.loads(body)["peak"] -> 143
# holds: json.loads(body)["mean_seconds"] -> 18.33

# %%
import json
import pandas as pd

# %%
log = pd.DataFrame({
    "page": ["/", "/shop", "/", "/cart", "/shop", "/"],
    "visits": [120, 45, 98, 12, 60, 143],
    "seconds": [3.5, 20.0, 4.0, 61.5, 18.5, 2.5],
})
log

# %%
def summary(df, title):
    return {
        "title": title,
        "visits": df["visits"].sum(),
        "peak": df["visits"].max(),
        "mean_seconds": round(df["seconds"].mean(), 2),
    }

# %% [repaired]
def summary(df, title):
    return {
        "title": title,
        "visits": int(df["visits"].sum()),
        "peak": int(df["visits"].max()),
        "mean_seconds": round(float(df["seconds"].mean()), 2),
    }

# %%
payload = summary(log, "week 14")
print(payload)

# %%
# the flask view returns exactly this
body = json.dumps(payload)
print(len(body), "bytes")
