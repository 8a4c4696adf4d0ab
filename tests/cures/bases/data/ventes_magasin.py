# library: pandas
# needs: matplotlib, pandas
# compare: ca_mensuel, meilleur, part

# %%
# Analyse des ventes du magasin
import pandas as pd
import matplotlib.pyplot as plt

contenu = """date;produit;quantité;prix
01/02/2023;café;12;3,50
03/02/2023;thé;8;2,80
15/02/2023;café;20;3,50
02/03/2023;gâteau;5;12,00
10/03/2023;thé;15;2,90
21/03/2023;café;9;3,60
05/04/2023;gâteau;7;12,50
"""
with open("ventes.csv", "w", encoding="latin-1") as fichier:
    fichier.write(contenu)

# %%
ventes = pd.read_csv("ventes.csv", sep=";", decimal=",", encoding="latin-1")
ventes.head()

# %%
ventes.dtypes

# %%
ventes["date"] = pd.to_datetime(ventes["date"], dayfirst=True)
ventes["montant"] = ventes["quantité"] * ventes["prix"]
ventes.info()

# %%
ca_mensuel = ventes.groupby(ventes["date"].dt.month)["montant"].sum()
ca_mensuel

# %%
par_produit = ventes.groupby("produit")["montant"].sum().sort_values(ascending=False)
meilleur = par_produit.index[0]
part = round(par_produit.iloc[0] / par_produit.sum() * 100, 1)
print(f"Le meilleur produit est {meilleur} avec {part} % du chiffre d'affaires")

# %%
par_produit.plot.bar(rot=0)
plt.ylabel("montant (€)")
plt.show()

