# group: data
# seen: 2026-11-29d
# fails: ValueError: Could not interpret value `genre` for `x`. An entry with this name does not appear in `data`.
# cause: count_table() relies on the old names of value_counts().reset_index(); the columns are "genre" and "count" now,
#   so its rename does nothing and there is no column n.
# holds: list(top.columns) -> ['genre', 'n']
# holds: top["n"].tolist() -> [33, 28, 10, 10]
# holds: top["genre"].iloc[0] -> 'crime'

# %%
import pandas as pd
import seaborn as sns
import matplotlib.pyplot as plt
import random

random.seed(12)
books = pd.DataFrame({
    "genre": random.choices(["crime", "fantasy", "poetry", "travel", "cooking"], weights=[5, 4, 1, 2, 2], k=90),
    "pages": [random.randint(80, 700) for _ in range(90)],
})
print(books.shape)

# %%
def count_table(df, col):
    t = df[col].value_counts().reset_index()
    return t.rename(columns={"index": col, col: "n"})

# %% [repaired]
def count_table(df, col):
    t = df[col].value_counts().reset_index()
    return t.rename(columns={"count": "n"})

# %%
print(books.groupby("genre").pages.mean().round(0))

# %%
top = count_table(books, "genre").head(4)

# %%
fig, ax = plt.subplots(figsize=(5, 3))
sns.barplot(data=top, x="genre", y="n", ax=ax)
ax.set_title("Most frequent genres")
plt.show()
