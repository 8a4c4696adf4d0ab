# group: data
# seen: 2026-11-29b
# fails: ProgrammingError: Incorrect number of bindings supplied. The current statement uses 1, and there are 4 supplied.
# cause: ("Lyon") is only a string in parentheses; the one-element tuple ("Lyon",) is meant.
# holds: rows -> [('Hugo', 3), ('Zola', 5)]
# holds: int(lyon["n"].sum()) -> 8

# %%
import sqlite3
import pandas as pd

con = sqlite3.connect(":memory:")
cur = con.cursor()
cur.execute("CREATE TABLE loans (author TEXT, city TEXT, n INTEGER)")
cur.executemany("INSERT INTO loans VALUES (?, ?, ?)", [
    ("Zola", "Lyon", 5), ("Verne", "Nantes", 9), ("Hugo", "Lyon", 3), ("Hugo", "Paris", 7),
])
con.commit()

# %%
pd.read_sql("SELECT * FROM loans", con)

# %%
city = "Lyon"
cur.execute("SELECT author, n FROM loans WHERE city = ? ORDER BY author", (city))
rows = cur.fetchall()
rows

# %% [repaired]
city = "Lyon"
cur.execute("SELECT author, n FROM loans WHERE city = ? ORDER BY author", (city,))
rows = cur.fetchall()
rows

# %%
lyon = pd.DataFrame(rows, columns=["author", "n"])
lyon

# %%
print(f"{city}: {lyon['n'].sum()} loans by {len(lyon)} authors")
