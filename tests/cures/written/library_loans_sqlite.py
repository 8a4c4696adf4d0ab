# group: data
# seen: 2026-11-30f
# fails: ProgrammingError: Incorrect number of bindings supplied. The current statement uses 1, and there are 4 supplied.
# cause: the parameters of execute() are a bare string, which sqlite takes as one value per letter; it must be a tuple (city,).
# holds: loans -> {'Pan': 18, 'Emma': 21, 'Ulysses': 40}
# holds: len(rows) -> 3
# holds: con.execute("select count(*) from loan").fetchone()[0] -> 6

# %%
import sqlite3
import pandas as pd

# %%
con = sqlite3.connect(":memory:")
con.execute("create table loan (id integer primary key, branch text, title text, days int)")
data = [("Bergen", "Dune", 12), ("Oslo", "Emma", 21), ("Oslo", "Ulysses", 40), ("Bergen", "Sula", 9),
        ("Tromso", "Hunger", 14), ("Oslo", "Pan", 18)]
con.executemany("insert into loan (branch, title, days) values (?, ?, ?)", data)
con.commit()

# %%
pd.read_sql("select * from loan", con)

# %%
branch = "Oslo"
rows = con.execute("select title, days from loan where branch = ? order by days", branch).fetchall()

# %% [repaired]
branch = "Oslo"
rows = con.execute("select title, days from loan where branch = ? order by days", (branch,)).fetchall()

# %%
loans = dict(rows)
print(loans)
print("late:", [t for t, d in loans.items() if d > 28])
