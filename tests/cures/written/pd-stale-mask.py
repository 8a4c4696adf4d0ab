# group: data
# seen: 2026-11-29
# fails: IndexingError: Unalignable boolean Series provided as indexer (index of the boolean Series and of the indexed object do not match).
# order: 1, 2, 3, 4, 1, 5
# again: 1, 2, 3, 4, 1, 3, 4, 5, 6
# cause: The loading cell 1 was run again after the mask was made (cell 4) from the cleaned, renumbered frame: df is
#   the raw 400 rows again, the mask has 388. From the top it works.
# holds: len(big) -> 68
# holds: round(float(big["price"].mean()),2) -> 243647.0

# %%
import numpy as np, pandas as pd
rng = np.random.default_rng(21)
n = 400
df = pd.DataFrame({
    "area": rng.normal(90, 35, n).round(),
    "rooms": rng.integers(1, 7, n),
    "price": rng.lognormal(12.3, .35, n).round(),
    "city": rng.choice(["Porto", "Braga", "Faro"], n),
})

# %%
df[["area", "price"]].hist(bins=30, figsize=(8, 3));

# %%
# cleaning: impossible areas out
df = df[df["area"] > 25].sort_values("price").reset_index(drop=True)
print(len(df), "flats left")

# %%
is_big = (df["area"] > 110) & (df["rooms"] >= 3)
print("big flats:", is_big.sum())

# %%
big = df[is_big]
big.groupby("city")["price"].median()

# %%
big.plot.scatter("area", "price");
