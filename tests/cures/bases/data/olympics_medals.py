# library: pandas
# needs: pandas, numpy
# compare: tally, age_stats, top_sport, share_women

# %%
import pandas as pd
import numpy as np

rs = np.random.RandomState(2016)
k = 260
athletes = pd.DataFrame({
    "ID": rs.randint(1, 200, k),
    "Sex": rs.choice(list("MF"), k),
    "Age": np.where(rs.rand(k) < .06, np.nan, rs.normal(25, 5, k).round()),
    "NOC": rs.choice(["USA", "CHN", "GBR", "KEN", "FRA"], k, p=[.3, .25, .2, .1, .15]),
    "Year": rs.choice([2008, 2012, 2016], k),
    "Sport": rs.choice(["Athletics", "Swimming", "Judo", "Rowing"], k),
    "Medal": rs.choice(["Gold", "Silver", "Bronze", None], k, p=[.1, .1, .1, .7]),
})
regions = pd.DataFrame({"NOC": ["USA", "CHN", "GBR", "KEN"], "region": ["USA", "China", "UK", "Kenya"]})
athletes.to_csv("athlete_events.csv", index=False)
regions.to_csv("noc_regions.csv", index=False)

# %%
events = pd.read_csv("athlete_events.csv")
noc = pd.read_csv("noc_regions.csv")
df = pd.merge(events, noc, how="left", on="NOC")
df.head()

# %%
print("Missing values")
df.isna().sum()[lambda s: s > 0]

# %%
df["region"] = df["region"].fillna(df["NOC"])
df["Medal"] = df["Medal"].fillna("none")
df["Age"] = df.groupby("Sport")["Age"].transform(lambda x: x.fillna(x.mean()))

# %%
medal_order = ["Gold", "Silver", "Bronze"]
medals = df[df["Medal"].isin(medal_order)]
tally = pd.crosstab(medals["region"], medals["Medal"])[medal_order]
tally["Total"] = tally.sum(axis="columns")
tally = tally.sort_values(["Gold", "Total"], ascending=False)
tally

# %%
age_stats = df.groupby(["Sport", "Sex"])["Age"].agg(["median", lambda x: x.quantile(0.9)]).round(1)
age_stats.columns = ["median", "p90"]
age_stats.loc["Judo"]

# %%
top_sport = medals["Sport"].value_counts().idxmax()
share_women = df.drop_duplicates(subset=["ID", "Year"]).groupby("Year")["Sex"].apply(lambda s: (s == "F").mean()).round(3)
print(top_sport)
share_women

