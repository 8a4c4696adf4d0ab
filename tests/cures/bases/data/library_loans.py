# library: python
# compare: overdue, fees, titles_by_member

# %%
import csv
from collections import defaultdict
from datetime import date, timedelta

# %%
rows = [
    ("M-01", "Dune", "2024-01-03"),
    ("M-02", "Emma", "2024-01-05"),
    ("M-01", "Ulysses", "2024-01-21"),
    ("M-03", "Persuasion", "2024-02-02"),
    ("M-02", "Middlemarch", "2024-02-10"),
]
with open("loans.csv", "w", newline="") as f:
    writer = csv.writer(f)
    writer.writerow(["member", "title", "borrowed"])
    writer.writerows(rows)

# %%
loans = []
with open("loans.csv", newline="") as f:
    for row in csv.DictReader(f):
        row["borrowed"] = date.fromisoformat(row["borrowed"])
        row["due"] = row["borrowed"] + timedelta(days=21)
        loans.append(row)
loans[0]

# %%
today = date(2024, 2, 15)


def days_late(loan, on=today):
    return max((on - loan["due"]).days, 0)


overdue = {loan["title"]: days_late(loan) for loan in loans if days_late(loan) > 0}
overdue

# %%
RATE = 0.25
fees = defaultdict(float)
for loan in loans:
    fees[loan["member"]] += days_late(loan) * RATE
fees = dict(fees)
print(f"total owed: {sum(fees.values()):.2f}")

# %%
titles_by_member = {}
for loan in loans:
    titles_by_member.setdefault(loan["member"], []).append(loan["title"])
for member, titles in sorted(titles_by_member.items()):
    print(member, "->", ", ".join(titles))

