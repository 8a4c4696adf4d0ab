# group: data
# seen: 2026-11-29e
# fails: ProgrammingError: Incorrect number of bindings supplied. The current statement uses 1, and there are 5 supplied.
# cause: (genre) is only a string in parentheses, not a tuple; sqlite takes each letter as a parameter.
# holds: [r[0] for r in books_of("crime")] -> ['The Last Key', 'Silent Dunes']
# holds: books_of("poetry") -> [('Ferns', 88)]

# %%
import sqlite3
import pandas as pd

# %%
con = sqlite3.connect(":memory:")
con.execute("create table books (title text, genre text, pages int)")
con.executemany("insert into books values (?, ?, ?)", [
    ("Silent Dunes", "crime", 310), ("Orbit", "scifi", 412),
    ("The Last Key", "crime", 275), ("Ferns", "poetry", 88)])
con.commit()

# %%
pd.read_sql("select genre, count(*) as n from books group by genre", con)

# %%
def books_of(genre):
    cur = con.execute("select title, pages from books where genre = ? order by pages", (genre))
    return cur.fetchall()

# %% [repaired]
def books_of(genre):
    cur = con.execute("select title, pages from books where genre = ? order by pages", (genre,))
    return cur.fetchall()

# %%
for g in ["crime", "poetry"]:
    print(g, books_of(g))
