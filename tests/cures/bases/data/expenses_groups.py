# library: python
# compare: totals, settlements, per_day

# %%
import csv
import io
from decimal import Decimal, ROUND_HALF_UP
from collections import defaultdict

CENT = Decimal("0.01")

# %%
text = """date;payer;amount;for
2024-07-01;Ida;84,50;Ida Jon Kim
2024-07-01;Jon;12,00;Jon Kim
2024-07-02;Kim;150,00;Ida Jon Kim
2024-07-03;Ida;33,30;Ida Kim
2024-07-03;Jon;9,99;Ida Jon Kim
"""
expenses = []
for rec in csv.DictReader(io.StringIO(text), delimiter=";"):
    expenses.append({
        "date": rec["date"],
        "payer": rec["payer"],
        "amount": Decimal(rec["amount"].replace(",", ".")),
        "people": rec["for"].split(),
    })
expenses[:2]

# %%
totals = defaultdict(Decimal)
for e in expenses:
    totals[e["payer"]] += e["amount"]
totals = dict(totals)
totals

# %%
balance = {name: Decimal(0) for name in totals}
for e in expenses:
    share = e["amount"] / len(e["people"])
    balance[e["payer"]] += e["amount"]
    for p in e["people"]:
        balance[p] -= share
balance = {p: b.quantize(CENT, rounding=ROUND_HALF_UP) for p, b in balance.items()}
balance

# %%
def settle(balance):
    owes = sorted((b, p) for p, b in balance.items() if b < 0)
    gets = sorted(((b, p) for p, b in balance.items() if b > 0), reverse=True)
    moves = []
    while owes and gets:
        debt, debtor = owes.pop(0)
        credit, creditor = gets.pop(0)
        paid = min(-debt, credit)
        moves.append((debtor, creditor, str(paid)))
        if debt + paid < 0:
            owes.insert(0, (debt + paid, debtor))
        if credit - paid > 0:
            gets.insert(0, (credit - paid, creditor))
    return moves

settlements = settle(balance)
for debtor, creditor, amount in settlements:
    print(f"{debtor} pays {creditor} {amount}")

# %%
per_day = {}
for e in expenses:
    per_day[e["date"]] = per_day.get(e["date"], 0) + float(e["amount"])
max(per_day, key=per_day.get)

