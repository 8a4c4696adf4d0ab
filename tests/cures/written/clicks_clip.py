# group: data
# seen: 2026-11-29b
# fails: ValueError: assignment destination is read-only
# cause: with copy-on-write (pandas 3) .values is a read-only view of the column; the frame has to be changed with loc/clip.
# holds: ads["clicks"].tolist() -> [12, 0, 30, 0, 8]
# holds: int(total) -> 50
# holds: ads["ctr"].round(3).tolist() -> [0.12, 0.0, 0.1, 0.0, 0.04]

# %%
import pandas as pd

ads = pd.DataFrame({
    "banner": ["a", "b", "c", "d", "e"],
    "shown": [100, 80, 300, 50, 200],
    "clicks": [12, -1, 30, -1, 8],
})
ads

# %%
# -1 is the tracker's way to say "none": make them 0 in the table
v = ads["clicks"].values
v[v < 0] = 0

# %% [repaired]
# -1 is the tracker's way to say "none": make them 0 in the table
ads.loc[ads["clicks"] < 0, "clicks"] = 0

# %%
total = ads["clicks"].sum()
print("clicks in total:", total)

# %%
ads["ctr"] = ads["clicks"] / ads["shown"]
ads.sort_values("ctr", ascending=False).head()

# %%
print(f"{total / ads['shown'].sum():.2%}")
