# group: data
# seen: 2026-11-29
# fails: TypeError: Cannot interpret '<pandas.core.strings.accessor.StringMethods object at 0x7f72d00f6b90>' as a data type
# order: 1, 2, 4, 3
# again: 1, 2, 4, 3, 5
# cause: Cell 4, run before cell 3, binds the builtin's name: str = films["title"].str; cell 3's astype(str) then
#   gets a pandas accessor.
# holds: films["key"].tolist()[0] -> '1999-the_long_night'
# holds: films["key"].nunique() -> 5
# holds: int(words.max()) -> 4

# %%
import pandas as pd
films = pd.DataFrame({
    "title": ["The Long Night", "Blue", "A Day in Oslo", "Return of the Fox", "Night Train"],
    "year": [1999, 2004, 2011, 2011, 2020],
    "rating": [7.1, 6.4, 8.0, 5.9, 7.7],
})

# %%
films.groupby("year")["rating"].mean()

# %%
# unique key: year-title
films["key"] = films["year"].astype(str) + "-" + films["title"].str.lower().str.replace(" ", "_")
films.set_index("key").head()

# %%
str = films["title"].str
words = str.split().str.len()
films["n_words"] = words
films[["title", "n_words"]]

# %% [repaired]
title_words = films["title"].str
words = title_words.split().str.len()
films["n_words"] = words
films[["title", "n_words"]]

# %%
films.plot.scatter("n_words", "rating");
