# library: python
# compare: level_counts, slow_jobs, report

# %%
import re
from datetime import datetime
from collections import namedtuple, defaultdict, Counter

Entry = namedtuple("Entry", ["time", "level", "job", "message"])

sample = [
    "2024-05-01 02:00:00,120 INFO  [backup] started",
    "2024-05-01 02:07:31,002 INFO  [backup] finished",
    "2024-05-01 02:10:00,500 INFO  [reindex] started",
    "2024-05-01 02:10:09,431 WARNING [reindex] 14 rows skipped",
    "2024-05-01 02:11:48,900 INFO  [reindex] finished",
    "2024-05-01 03:00:00,000 INFO  [mail] started",
    "2024-05-01 03:00:02,010 ERROR [mail] connection refused (retry 1)",
    "2024-05-01 03:00:32,120 ERROR [mail] connection refused (retry 2)",
    "this line is garbage",
]
with open("jobs.log", "w") as f:
    f.write("\n".join(sample))

# %%
pattern = re.compile(r"^(\S+ \S+) (\w+)\s+\[(\w+)\] (.*)$")

def parse_line(line):
    match = pattern.search(line)
    if not match:
        return None
    stamp, level, job, message = match.groups()
    return Entry(datetime.strptime(stamp, "%Y-%m-%d %H:%M:%S,%f"), level, job, message)

entries = list(filter(None, map(parse_line, open("jobs.log"))))
entries[0]

# %%
level_counts = Counter(e.level for e in entries)
level_counts

# %%
by_job = defaultdict(list)
for e in entries:
    by_job[e.job].append(e)

durations = {}
for job, items in by_job.items():
    first, last = items[0], items[-1]
    durations[job] = (last.time - first.time).total_seconds()
slow_jobs = [j for j, d in sorted(durations.items(), key=lambda kv: kv[1], reverse=True) if d > 60]
slow_jobs

# %%
rows = [f"{job:<10}|{d:>8.1f} s|{by_job[job][-1].level:>6}" for job, d in durations.items()]
report = "\n".join(["job       |  duration|  last"] + rows)
print(report)
