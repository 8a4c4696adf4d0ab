# group: data
# seen: 2026-11-29
# fails: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xf1 in position 1: invalid continuation byte
# cause: The export was written in Windows-1252/latin-1; read_csv assumes UTF-8 in the loader of cell 3.
# holds: int(visits.loc["Málaga"]) -> 22500
# holds: len(df) -> 6
# holds: int(visits.sum()) -> 66850

# %% [markdown]
# Visitors per town, from the tourist board's Excel export

# %%
from pathlib import Path
import pandas as pd

# %%
DATA = Path("export")
DATA.mkdir(exist_ok=True)
rows = ["ciudad;año;visitantes", "Málaga;2022;10400", "Málaga;2023;12100", "Córdoba;2022;8700",
        "Córdoba;2023;9050", "Cádiz;2023;5600", "Sevilla;2023;21000"]
(DATA / "visitantes.csv").write_bytes("\r\n".join(rows).encode("cp1252"))

# %%
def load_export(name):
    return pd.read_csv(DATA / name, sep=";")

# %% [repaired]
def load_export(name):
    return pd.read_csv(DATA / name, sep=";", encoding="cp1252")

# %%
df = load_export("visitantes.csv")
df.columns = ["town", "year", "visitors"]
df

# %%
visits = df.groupby("town")["visitors"].sum()
print("Málaga:", visits["Málaga"])
visits.sort_values().plot.barh();
