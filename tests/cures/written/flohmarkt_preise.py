# group: data
# seen: 2026-11-30f
# fails: AttributeError: Can only use .str accessor with string values, not integer
# cause: the cell that turns the price text into numbers was run a second time, when the column is int already.
# order: 1, 2, 3, 3, 4, 5
# again: 1, 2, 3, 4, 5
# holds: int(anzeigen["preis"].sum()) -> 3855
# holds: str(anzeigen["preis"].dtype) -> 'int64'
# holds: int(teuer["preis"].min()) -> 280

# %%
import pandas as pd

# %%
anzeigen = pd.DataFrame({
    "titel": ["Sofa grau", "Rennrad", "Kaffeemaschine", "Klavier", "Regal", "E-Gitarre", "Lampe"],
    "preis": ["120 €", "450 €", "35 €", "1.900 €", "20 €", "280 €", "1.050 €"],
    "ort": ["Köln", "Bonn", "Köln", "Aachen", "Bonn", "Köln", "Aachen"],
})
anzeigen

# %%
# Tausenderpunkt und Euro weg
anzeigen["preis"] = (anzeigen["preis"]
                     .str.replace(" €", "", regex=False)
                     .str.replace(".", "", regex=False)
                     .astype("int64"))
anzeigen.dtypes

# %%
teuer = anzeigen[anzeigen["preis"] > 250].sort_values("preis", ascending=False)
teuer

# %%
anzeigen.groupby("ort")["preis"].median()
