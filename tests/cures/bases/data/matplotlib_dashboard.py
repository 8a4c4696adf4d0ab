# library: matplotlib
# needs: matplotlib, pandas
# compare: n_patches, xticks, wedge_labels, colors

# %%
import matplotlib.pyplot as plt
import matplotlib.dates as mdates
import pandas as pd

plt.rcParams["figure.figsize"] = (8, 4)
plt.rcParams.update({"font.size": 9, "axes.grid": True})

# %%
tickets = pd.DataFrame({
    "opened": pd.date_range("2024-01-01", periods=10, freq="3D"),
    "team": ["web", "app", "web", "data", "app", "web", "data", "web", "app", "web"],
    "hours": [3, 8, 2, 16, 5, 1, 9, 4, 7, 2],
})
tickets

# %%
fig, (left, right) = plt.subplots(nrows=1, ncols=2)
per_team = tickets.groupby("team")["hours"].sum()
wedges, texts, autotexts = left.pie(per_team.values, labels=per_team.index, autopct="%1.0f%%")
wedge_labels = [t.get_text() for t in texts]
right.hist(tickets["hours"], bins=[0, 4, 8, 12, 16], edgecolor="k")
right.set_title("Hours per ticket")
n_patches = len(right.patches)
plt.show()

# %%
color_map = {"web": "tab:blue", "app": "tab:orange", "data": "tab:green"}
colors = [color_map[t] for t in tickets["team"]]
fig, ax = plt.subplots()
ax.scatter(tickets["opened"], tickets["hours"], c=colors, s=tickets["hours"] * 10, alpha=0.7)
ax.xaxis.set_major_formatter(mdates.DateFormatter("%d %b"))
ax.set_xlim(pd.Timestamp("2023-12-30"), pd.Timestamp("2024-01-31"))
fig.autofmt_xdate()
plt.show()

# %%
ax = per_team.sort_values().plot(kind="barh", color="slategray")
ax.set_xlabel("hours")
xticks = ax.get_yticklabels()
xticks = [t.get_text() for t in xticks]
plt.savefig("teams.svg")
plt.close("all")

