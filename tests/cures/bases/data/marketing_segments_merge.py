# library: pandas
# needs: numpy, pandas
# compare: funnel, ctr_table, roi, outliers

# %%
"""Campaign report: joins ad clicks, visits and orders."""
import numpy as np
import pandas as pd

SEED = 818
CHANNELS = ("search", "social", "mail")
rng = np.random.default_rng(SEED)

n = 400
clicks = pd.DataFrame(dict(
    click_id=np.arange(n),
    channel=rng.choice(CHANNELS, size=n),
    ts=pd.Timestamp("2024-04-01") + pd.to_timedelta(rng.integers(0, 30 * 86400, n), unit="s"),
    cost=rng.gamma(2, .3, n).round(2),
)).astype({"channel": "category"})
visits = clicks.loc[rng.random(n) < .7, ["click_id"]].assign(pages=lambda d: rng.integers(1, 12, len(d)))
orders = visits.loc[rng.random(len(visits)) < .2, ["click_id"]].assign(value=lambda d: rng.lognormal(3.5, .6, len(d)).round(2))
for name, frame in dict(clicks=clicks, visits=visits, orders=orders).items():
    frame.to_csv(f"{name}.csv", index=False)

# %%
clicks = pd.read_csv("clicks.csv", parse_dates=["ts"], dtype={"channel": "category"})
visits, orders = (pd.read_csv(f"{x}.csv") for x in ("visits", "orders"))
for frame in (clicks, visits, orders):
    print(frame.shape)

# %%
journey = clicks.merge(visits, how="left").merge(orders, how="left", validate="one_to_one")
journey["bounced"] = journey["pages"].isna() | (journey["pages"] == 1)
journey.head()

# %%
funnel = journey.groupby("channel", observed=True).agg(
    clicks=("click_id", "size"), visits=("pages", "count"), orders=("value", "count"), spent=("cost", "sum"), earned=("value", "sum"))
funnel.round(2)

# %%
roi = ((funnel["earned"] - funnel["spent"]) / funnel["spent"]).round(2)
ctr_table = funnel[["visits", "orders"]].div(funnel["clicks"], axis=0).round(3)
roi.idxmax(), ctr_table

# %%
q1, q3 = journey["value"].quantile([.25, .75])
iqr = q3 - q1
outliers = journey.query("value > @q3 + 1.5 * @iqr")["value"].sort_values().tolist()
outliers

# %%
heat = journey.assign(dow=journey["ts"].dt.day_name(), hour=journey["ts"].dt.hour // 6 * 6).pivot_table(
    index="dow", columns="hour", values="click_id", aggfunc="count").reindex(["Monday", "Friday", "Sunday"])
heat

