# library: python
# compare: hits, slowest, errors

# %%
import re
from collections import Counter

log = """\
10.0.0.5 - - [12/Mar/2024:08:11:02] "GET /index.html HTTP/1.1" 200 5120 0.031
10.0.0.9 - - [12/Mar/2024:08:11:05] "GET /api/items?page=2 HTTP/1.1" 200 880 0.214
10.0.0.5 - - [12/Mar/2024:08:11:09] "POST /api/login HTTP/1.1" 401 120 0.102
10.0.0.7 - - [12/Mar/2024:08:12:31] "GET /static/app.js HTTP/1.1" 304 0 0.004
10.0.0.9 - - [12/Mar/2024:08:12:40] "GET /api/items?page=3 HTTP/1.1" 500 310 1.702
10.0.0.5 - - [12/Mar/2024:08:13:00] "POST /api/login HTTP/1.1" 200 640 0.120
"""
with open("access.log", "w") as fh:
    fh.write(log)

# %%
LINE = re.compile(
    r'(?P<ip>\S+) - - \[(?P<when>[^\]]+)\] "(?P<method>\w+) (?P<path>\S+) [^"]+" '
    r'(?P<status>\d{3}) (?P<size>\d+) (?P<seconds>[\d.]+)'
)

def parse(line):
    m = LINE.match(line)
    if m is None:
        return None
    d = m.groupdict()
    d["status"] = int(d["status"])
    d["size"] = int(d["size"])
    d["seconds"] = float(d["seconds"])
    return d

# %%
with open("access.log") as fh:
    requests = [parse(line) for line in fh]
print(len(requests), "requests")
requests[1]

# %%
hits = Counter(r["path"].split("?")[0] for r in requests)
hits.most_common(3)

# %%
errors = [(r["ip"], r["path"], r["status"]) for r in requests if r["status"] >= 400]
slowest = max(requests, key=lambda r: r["seconds"])["path"]
print(slowest)
errors

