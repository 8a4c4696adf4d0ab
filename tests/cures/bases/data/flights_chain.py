# library: pandas
# needs: numpy, pandas
# compare: busiest, delay_table, z_outliers

# %%
import numpy as np
import pandas as pd

# %%
def fake_flights(n=300, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame({
        "FL_DATE": rng.choice(pd.date_range("2019-01-01", "2019-02-28").astype(str), n),
        "OP_CARRIER": rng.choice(["AA", "DL", "UA", "WN"], n),
        "ORIGIN": rng.choice(["JFK", "ATL", "ORD", "LAX"], n),
        "DEST": rng.choice(["SEA", "DEN", "MIA"], n),
        "DEP_TIME": rng.integers(500, 2359, n),
        "ARR_DELAY": np.where(rng.random(n) < .04, np.nan, rng.normal(4, 30, n).round()),
    })

fake_flights().to_csv("flights_2019.csv", index=False)

# %%
flights = (
    pd.read_csv("flights_2019.csv", dtype={"DEP_TIME": str})
    .rename(columns=str.lower)
    .assign(
        fl_date=lambda d: pd.to_datetime(d["fl_date"]),
        hour=lambda d: d["dep_time"].str.zfill(4).str[:2].astype(int),
        route=lambda d: d["origin"] + "-" + d["dest"],
    )
    .dropna(subset=["arr_delay"])
    .reset_index(drop=True)
)
flights.head()

# %%
flights.shape, flights["op_carrier"].nunique()

# %%
busiest = flights["route"].value_counts().sort_index(kind="stable").sort_values(ascending=False, kind="stable").head(3)
busiest

# %%
delay_table = (
    flights
    .assign(part=pd.cut(flights["hour"], bins=[0, 12, 18, 24], labels=["morning", "afternoon", "evening"], right=False))
    .pivot_table(index="op_carrier", columns="part", values="arr_delay", aggfunc="median", observed=True)
)
delay_table

# %%
grp = flights.groupby("op_carrier")["arr_delay"]
flights["z"] = (flights["arr_delay"] - grp.transform("mean")) / grp.transform("std")
z_outliers = flights.loc[flights["z"].abs() > 2.5, ["fl_date", "route", "arr_delay"]].sort_values("arr_delay")
z_outliers.tail()

