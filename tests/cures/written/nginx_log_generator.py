# group: data
# seen: 2026-11-30f
# fails: KeyError: 'status'
# cause: records is a generator, and counting it in the check cell uses it up; the DataFrame made from it afterwards is empty.
# holds: len(log) -> 120
# holds: n_rec -> 120
# holds: int((log["status"] >= 500).sum()) -> 28
# holds: sorted(log.columns) -> ['ip', 'ms', 'path', 'status']

# %%
import random
import pandas as pd

# %%
random.seed(8)
paths = ["/", "/login", "/api/items", "/static/app.js"]
lines = [
    f"10.0.0.{random.randint(1, 9)} {random.choice(paths)} {random.choice([200, 200, 200, 304, 404, 500])} {random.randint(5, 900)}ms"
    for _ in range(120)
]
lines[:3]

# %%
def parse(line):
    ip, path, status, t = line.split()
    return {"ip": ip, "path": path, "status": int(status), "ms": int(t.rstrip("ms"))}

records = (parse(l) for l in lines)

# %% [repaired]
def parse(line):
    ip, path, status, t = line.split()
    return {"ip": ip, "path": path, "status": int(status), "ms": int(t.rstrip("ms"))}

records = [parse(l) for l in lines]

# %%
n_rec = sum(1 for _ in records)
print(n_rec, "records parsed")

# %%
log = pd.DataFrame(records)

# %%
log.groupby("status")["ms"].agg(["count", "median"])

# %%
slow = log.nlargest(5, "ms")
slow
