# group: data
# seen: 2026-11-29e
# fails: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xf6 in position 1: invalid start byte
# cause: the file was exported as latin-1, pandas reads utf-8 unless told otherwise.
# holds: towns["town"].tolist() -> ['Köln', 'Münster', 'Bonn', 'Düren']
# holds: int(towns["inhabitants"].sum()) -> 1814

# %%
import os, tempfile
import pandas as pd

# %%
# the old office program exports in ISO-8859-1
path = os.path.join(tempfile.mkdtemp(), "towns.csv")
with open(path, "w", encoding="iso-8859-1") as f:
    f.write("town;inhabitants\nKöln;1073\nMünster;317\nBonn;331\nDüren;93\n")
os.path.getsize(path)

# %%
towns = pd.read_csv(path, sep=";")
towns

# %% [repaired]
towns = pd.read_csv(path, sep=";", encoding="iso-8859-1")
towns

# %%
towns["size"] = pd.cut(towns["inhabitants"], [0, 100, 500, 2000], labels=["small", "medium", "large"])
towns.groupby("size", observed=True)["inhabitants"].sum()

# %%
print(towns.sort_values("town").to_string(index=False))
