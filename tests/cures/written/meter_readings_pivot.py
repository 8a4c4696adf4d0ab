# group: data
# seen: 2026-11-30f
# fails: ValueError: Index contains duplicate entries, cannot reshape
# cause: the cell which appends the months to `parts` was run twice without clearing the list, so every reading is there double and pivot() finds duplicates.
# order: 1, 2, 3, 3, 4, 5
# again: 1, 2, 3, 4, 5, 6
# holds: len(readings) -> 12
# holds: wide.shape -> (4, 3)
# holds: int(wide.loc["2026-02", "m2"]) -> 254

# %%
import pandas as pd

def read_month(m):
    # stands for pd.read_csv(f"readings_{m}.csv")
    k = int(m[-2:])
    return pd.DataFrame({"month": m, "meter": ["m1", "m2", "m3"], "value": [100 + 11 * k, 240 + 7 * k, 90 + 13 * k]})

# %%
parts = []

# %%
for m in ["2026-01", "2026-02", "2026-03", "2026-04"]:
    parts.append(read_month(m))
    print("read", m)

# %%
readings = pd.concat(parts, ignore_index=True)
readings.head()

# %%
wide = readings.pivot(index="month", columns="meter", values="value")
wide

# %%
wide.diff().dropna()
