# group: data
# seen: 2026-11-29e
# fails: KeyError: 'status'
# cause: rows is a generator and counting it used it up, the DataFrame made from it is empty; make it a list.
# holds: len(hits) -> 6
# holds: int((hits["status"] == 404).sum()) -> 2
# holds: n -> 6

# %%
import pandas as pd

# %%
LINES = """/index 200 512
/about 200 233
/img/x.png 404 0
/index 200 512
/login 302 11
/old 404 0""".splitlines()

# %%
def parse(line):
    path, status, size = line.split()
    return {"path": path, "status": int(status), "size": int(size)}

rows = (parse(l) for l in LINES)

# %% [repaired]
def parse(line):
    path, status, size = line.split()
    return {"path": path, "status": int(status), "size": int(size)}

rows = [parse(l) for l in LINES]

# %%
n = sum(1 for _ in rows)
print("parsed", n, "lines")

# %%
hits = pd.DataFrame(rows)
hits.head()

# %%
hits.groupby("status")["size"].agg(["count", "sum"])
