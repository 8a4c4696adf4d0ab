# group: data
# seen: 2026-11-28
# fails: AttributeError: Can only use .dt accessor with datetimelike values
# cause: SQLite has no date type, so read_sql gives created as strings; .dt fails two cells later.
# holds: int(by_hour.idxmax()) -> 14
# holds: int(by_hour.sum()) -> 190
# holds: len(tickets) -> 190

# %%
import sqlite3
import random
import pandas as pd

# %%
con = sqlite3.connect(":memory:")
con.execute("CREATE TABLE tickets (id INTEGER PRIMARY KEY, created DATE, team TEXT, minutes INTEGER)")
random.seed(4)
rows = []
for i in range(200):
    rows.append((i, f"2024-0{random.randint(1,3)}-{random.randint(1,28):02d} {min(23, int(random.gauss(14, 3))):02d}:{random.randint(0,59):02d}:00",
                 random.choice(["net", "db", "ui"]), random.randint(5, 240)))
con.executemany("INSERT INTO tickets VALUES (?,?,?,?)", rows)
con.commit()

# %%
q = """
SELECT id, created, team, minutes
FROM tickets
WHERE minutes > 15
ORDER BY created
"""
tickets = pd.read_sql(q, con)
tickets.head()

# %% [repaired]
q = """
SELECT id, created, team, minutes
FROM tickets
WHERE minutes > 15
ORDER BY created
"""
tickets = pd.read_sql(q, con, parse_dates=["created"])
tickets.head()

# %%
tickets.groupby("team")["minutes"].agg(["count", "median"])

# %%
tickets["hour"] = tickets["created"].dt.hour
tickets["weekday"] = tickets["created"].dt.day_name()
by_hour = tickets.groupby("hour").size()
by_hour

# %%
by_hour.plot.bar(title="tickets by hour");
