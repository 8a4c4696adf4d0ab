# group: data
# seen: 2026-11-29
# fails: ValueError: max() arg is an empty sequence
# cause: read_log returns a generator; the preview in cell 4 counts it to the end, so the loop in cell 5 sees
#   nothing and max() of nothing fails in cell 6.
# holds: worst -> '/report'
# holds: sum(by_path.values()) -> 3826
# holds: len(by_path) -> 4

# %%
import re
from collections import defaultdict

LOG = """10.0.0.1 GET /home 200 12
10.0.0.7 GET /search 200 340
10.0.0.1 POST /login 302 55
10.0.0.9 GET /search 500 1200
bad line
10.0.0.7 GET /home 200 9
10.0.0.3 GET /report 200 2210
"""

# %%
pat = re.compile(r"(\S+) (GET|POST) (\S+) (\d{3}) (\d+)")

def read_log(text):
    for line in text.splitlines():
        m = pat.match(line)
        if m:
            ip, verb, path, status, ms = m.groups()
            yield {"ip": ip, "path": path, "status": int(status), "ms": int(ms)}

# %%
entries = read_log(LOG)

# %% [repaired]
entries = list(read_log(LOG))

# %%
print("lines:", len(LOG.splitlines()), " parsed:", sum(1 for _ in entries))

# %%
by_path = defaultdict(int)
for e in entries:
    by_path[e["path"]] += e["ms"]

# %%
worst = max(by_path, key=by_path.get)
print("slowest:", worst, by_path[worst], "ms")

# %%
for p, ms in sorted(by_path.items(), key=lambda kv: -kv[1]):
    print(f"{p:10} {'#' * (ms // 100)}")
