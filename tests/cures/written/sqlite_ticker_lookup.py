# group: data
# seen: 2026-11-30g
# fails: ProgrammingError: Incorrect number of bindings supplied. The current statement uses 1, and there are 4 supplied.
# cause: the parameters of execute must be a sequence; ("MSFT") is just a string, so each letter counts as a parameter. A comma makes it a tuple.
# holds: rows -> [('2024-01-02', 370.9), ('2024-01-03', 370.6), ('2024-01-04', 367.9)]
# holds: px.shape -> (3, 3)

# %%
import sqlite3
import pandas as pd

# %%
con = sqlite3.connect(":memory:")
quotes = pd.DataFrame({
    "ticker": ["MSFT", "AAPL", "MSFT", "NVDA", "MSFT"],
    "day": ["2024-01-02", "2024-01-02", "2024-01-03", "2024-01-03", "2024-01-04"],
    "close": [370.9, 185.6, 370.6, 475.7, 367.9],
})
quotes.to_sql("quotes", con, index=False)

# %%
pd.read_sql("select ticker, count(*) n from quotes group by ticker", con)

# %%
wanted = "MSFT"
cur = con.cursor()
cur.execute("SELECT day, close FROM quotes WHERE ticker = ? ORDER BY day", (wanted))
rows = cur.fetchall()

# %% [repaired]
wanted = "MSFT"
cur = con.cursor()
cur.execute("SELECT day, close FROM quotes WHERE ticker = ? ORDER BY day", (wanted,))
rows = cur.fetchall()

# %%
px = pd.DataFrame(rows, columns=["day", "close"])
px["ret"] = px["close"].pct_change()
px
