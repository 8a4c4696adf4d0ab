# group: data
# seen: 2026-11-30h
# fails: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xf6 in position 1: invalid start byte
# cause: the file is written by Excel in cp1252 (latin-1), read_csv assumes utf-8; encoding must be given.
# holds: towns["ort"].tolist() -> ['Köln', 'München', 'Fürth', 'Gießen']
# holds: int(towns["einwohner"].sum()) -> 2822774

# %%
import pandas as pd
from pathlib import Path
import tempfile

# %%
# like the file from our Excel (windows, "CSV (Trennzeichen-getrennt)")
folder = Path(tempfile.mkdtemp())
text = "ort;einwohner;land\nKöln;1085664;NRW\nMünchen;1512491;BY\nFürth;131433;BY\nGießen;93186;HE\n"
(folder / "orte.csv").write_bytes(text.encode("cp1252"))

# %%
towns = pd.read_csv(folder / "orte.csv", sep=";")
towns

# %% [repaired]
towns = pd.read_csv(folder / "orte.csv", sep=";", encoding="cp1252")
towns

# %%
big = towns[towns["einwohner"] > 1_000_000]
print(big["ort"].to_list())

# %%
towns.groupby("land")["einwohner"].sum().plot(kind="bar")
