# group: data
# seen: 2026-11-29b
# fails: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe9 in position 3: invalid continuation byte
# cause: the till writes its CSV in Windows' code page (cp1252), read_csv expects UTF-8.
# holds: menu["item"].tolist()[0] -> 'Café crème'
# holds: menu.loc[menu["item"] == "Thé vert", "price"].item() -> 3.2
# holds: round(float(menu["price"].mean()), 2) -> 3.2

# %%
# export of the till: old Windows program, Western European code page
import os, tempfile
folder = tempfile.mkdtemp()
fn = os.path.join(folder, "export.csv")
with open(fn, "wb") as f:
    f.write("item;price;sold\nCaf\u00e9 cr\u00e8me;3,5;40\nTh\u00e9 vert;3,2;12\nJus de p\u00eache;2,9;8\n".encode("cp1252"))
os.path.getsize(fn)

# %%
import pandas as pd
menu = pd.read_csv(fn, sep=";", decimal=",")
menu

# %% [repaired]
import pandas as pd
menu = pd.read_csv(fn, sep=";", decimal=",", encoding="cp1252")
menu

# %%
print(menu.dtypes)

# %%
menu["sales"] = menu.price * menu.sold
menu.sort_values("sales", ascending=False)

# %%
print("Total: %.2f EUR" % menu.sales.sum())
