# library: pandas
# needs: numpy, pandas
# compare: pairs, table, density_rank

# %%
import pandas as pd
import numpy as np
import json

payload = {
    "source": "demo",
    "cities": [
        {"name": "Graz", "country": {"code": "AT", "continent": "EU"}, "pop": 291000, "area": 127.6, "coords": [47.07, 15.44]},
        {"name": "Porto", "country": {"code": "PT", "continent": "EU"}, "pop": 232000, "area": 41.4, "coords": [41.16, -8.63]},
        {"name": "Quito", "country": {"code": "EC", "continent": "SA"}, "pop": 1978000, "area": 372.4, "coords": [-0.18, -78.47]},
        {"name": "Kandy", "country": {"code": "LK", "continent": "AS"}, "pop": 125000, "area": 28.5, "coords": [7.29, 80.63]},
    ],
}
with open("cities.json", "w") as f:
    json.dump(payload, f)

# %%
with open("cities.json") as f:
    raw = json.load(f)
raw.keys()

# %%
df = pd.json_normalize(raw["cities"], sep="_")
df

# %%
df[["lat", "lon"]] = pd.DataFrame(df["coords"].tolist(), index=df.index)
df = df.drop(columns=["coords"])
df["density"] = (df["pop"] / df["area"]).round(0)
density_rank = df.set_index("name")["density"].rank(ascending=False).astype(int).to_dict()
density_rank

# %%
def distance_km(a, b):
    lat1, lon1, lat2, lon2 = np.radians([a["lat"], a["lon"], b["lat"], b["lon"]])
    h = np.sin((lat2 - lat1) / 2) ** 2 + np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) / 2) ** 2
    return 2 * 6371 * np.arcsin(np.sqrt(h))

pairs = {}
for i, a in df.iterrows():
    for j, b in df.iterrows():
        if i < j:
            pairs[a["name"] + "-" + b["name"]] = round(distance_km(a, b))
pairs

# %%
table = df.groupby("country_continent", as_index=False).agg(cities=("name", "count"), people=("pop", "sum"))
table.to_csv("continents.csv", index=False)
table

