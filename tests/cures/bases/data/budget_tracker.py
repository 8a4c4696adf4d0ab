# library: python
# compare: monthly, over_budget, export

# %%
import csv, json
from collections import OrderedDict
from datetime import datetime
from pathlib import Path

folder = Path("budget")
folder.mkdir(exist_ok=True)
(folder / "jan.csv").write_text("Date,Category,Amount\n03.01.2024,Food,45.20\n09.01.2024,Rent,700\n21.01.2024,Food,61.75\n")
(folder / "feb.csv").write_text("Date,Category,Amount\n01.02.2024,Rent,700\n11.02.2024,Travel,230.5\n14.02.2024,Food,39.9\n")
(folder / "limits.json").write_text(json.dumps({"Food": 100, "Rent": 700, "Travel": 150}))

# %%
entries = []
for path in sorted(folder.glob("*.csv")):
    with path.open() as f:
        for row in csv.DictReader(f):
            entries.append((datetime.strptime(row["Date"], "%d.%m.%Y"), row["Category"], float(row["Amount"])))
entries.sort()
len(entries), entries[0]

# %%
monthly = OrderedDict()
for when, category, amount in entries:
    key = when.strftime("%b")
    monthly.setdefault(key, {})
    monthly[key][category] = round(monthly[key].get(category, 0) + amount, 2)
monthly

# %%
limits = json.loads((folder / "limits.json").read_text())
over_budget = []
for month, cats in monthly.items():
    for cat, total in cats.items():
        if total > limits[cat]:
            over_budget.append(f"{month}: {cat} {total - limits[cat]:+.2f}")
over_budget

# %%
lines = ["%-6s %-8s %8.2f" % (m, c, t) for m, cats in monthly.items() for c, t in sorted(cats.items())]
(folder / "report.txt").write_text("\n".join(lines))
export = (folder / "report.txt").read_text().splitlines()
print(*export, sep="\n")

