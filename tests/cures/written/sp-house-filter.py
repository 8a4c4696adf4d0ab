# group: data
# seen: 2026-11-30h
# fails: ValueError: The truth value of a Series is ambiguous. Use a.empty, a.item(), a.any() or a.all().
# cause: Python's `and` asks a whole Series for one truth value; the two conditions of the filter must be joined with &
#   (each in parentheses).
# holds: len(cheap) -> 15
# holds: int(cheap["rent"].max()) < 900 and int(cheap["rooms"].min()) >= 2 -> True
# holds: sorted(cheap["district"].unique()) -> ['Mitte', 'Nord', 'Sued', 'West']

# %% [markdown]
# flat hunting!! want: at least 2 rooms and under 900 euro

# %%
import pandas as pd
import numpy as np

# %%
rng = np.random.default_rng(11)
n = 60
flats = pd.DataFrame({
    "district": rng.choice(["Nord", "Sued", "Mitte", "West"], n),
    "rooms": rng.integers(1, 5, n),
    "rent": rng.integers(450, 1600, n),
})
flats.head()

# %%
flats.groupby("rooms")["rent"].mean()

# %%
cheap = flats[flats["rooms"] >= 2 and flats["rent"] < 900]
cheap.head()

# %% [repaired]
cheap = flats[(flats["rooms"] >= 2) & (flats["rent"] < 900)]
cheap.head()

# %%
print(len(cheap), "of", len(flats), "flats left")
cheap.groupby("district")["rent"].agg(["count", "mean"])
