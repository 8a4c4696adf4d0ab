# library: pandas
# needs: pandas
# compare: local_hours, busy, overlap, quarters

# %%
import pandas as pd

calls = pd.DataFrame({
    "agent": ["Kofi", "Kofi", "Mei", "Mei", "Luz", "Luz", "Kofi"],
    "start": ["2024-03-10T08:00:00Z", "2024-03-10T08:40:00Z", "2024-03-10T01:15:00Z", "2024-03-31T02:30:00Z",
              "2024-03-30T23:50:00Z", "2024-03-31T14:05:00Z", "2024-04-01T09:00:00Z"],
    "seconds": [610, 95, 1800, 240, 1300, 77, 3600],
})
calls.to_csv("calls.csv", index=False)
zones = {"Kofi": "Africa/Accra", "Mei": "Asia/Shanghai", "Luz": "America/Mexico_City"}

# %%
calls = pd.read_csv("calls.csv")
calls["start"] = pd.to_datetime(calls["start"], utc=True)
calls["end"] = calls["start"] + pd.to_timedelta(calls["seconds"], unit="s")
calls.dtypes

# %%
def local(row):
    return row["start"].tz_convert(zones[row["agent"]]).strftime("%a %H:%M")

calls["local"] = calls.apply(local, axis=1)
local_hours = calls["local"].tolist()
local_hours

# %%
busy = calls.groupby("agent")["seconds"].agg(total="sum", longest="max", calls="size")
busy["minutes"] = busy["total"] / 60
busy.sort_values("minutes", ascending=False)

# %%
berlin = calls.set_index("start").tz_convert("Europe/Berlin").sort_index()
per_day = berlin["seconds"].resample("D").sum()
quarters = per_day[per_day > 0].index.strftime("%d.%m.").tolist()
quarters

# %%
overlap = 0
s = calls.sort_values("start")
for (_, a), (_, b) in zip(s.iloc[:-1].iterrows(), s.iloc[1:].iterrows()):
    if b["start"] < a["end"]:
        overlap += 1
print("overlapping calls:", overlap)

