# group: data
# seen: 2026-11-29b
# fails: AttributeError: 'NoneType' object has no attribute 'group'
# cause: re.match looks only at the start of the line, the pattern is in the middle; re.search is meant.
# holds: times -> [31, 120, 7, 1042]
# holds: slow -> ['/export', '/report']

# %%
import re
import statistics as st

LOG = """
10:00:01 INFO GET /home took 31 ms
10:00:04 INFO GET /export took 120 ms
10:00:09 WARN GET /ping took 7 ms (cached)
10:01:30 INFO POST /report took 1042 ms
""".strip().splitlines()
len(LOG)

# %%
def latency(line):
    m = re.match(r"took (\d+) ms", line)
    return int(m.group(1))

# %% [repaired]
def latency(line):
    m = re.search(r"took (\d+) ms", line)
    return int(m.group(1))

# %%
def path(line):
    return line.split()[3]

print([path(l) for l in LOG])

# %%
times = [latency(l) for l in LOG]
print("median", st.median(times), "max", max(times))

# %%
slow = [path(l) for l, t in zip(LOG, times) if t > 100]
slow
