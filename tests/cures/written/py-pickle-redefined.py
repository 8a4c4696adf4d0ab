# group: data
# seen: 2026-11-29
# fails: PicklingError: Can't pickle <class '__main__.Account'>: it's not the same object as __main__.Account
# order: 1, 2, 3, 4, 2, 5
# again: 1, 2, 3, 4, 2, 3, 4, 5, 6
# cause: The class cell was run again after the objects were made: they belong to the old class Account, and pickle
#   refuses ("not the same object as __main__.Account").
# holds: len(back) -> 3
# holds: round(sum(a.balance for a in accounts), 2) -> 150.0
# holds: path.exists() -> True

# %%
import pickle
from pathlib import Path

# %%
class Account:
    def __init__(self, owner, balance=0.0):
        self.owner, self.balance, self.log = owner, balance, []

    def pay(self, other, amount):
        if amount > self.balance:
            raise ValueError("not enough money")
        self.balance -= amount
        other.balance += amount
        self.log.append((other.owner, amount))

    def __repr__(self):
        return f"<{self.owner}: {self.balance:.2f}>"

# %%
accounts = [Account("ann", 100), Account("bob", 50), Account("cid")]

# %%
accounts[0].pay(accounts[2], 30)
accounts[1].pay(accounts[0], 12.5)
accounts

# %%
path = Path("accounts.pkl")
path.write_bytes(pickle.dumps(accounts))
back = pickle.loads(path.read_bytes())
print(back)

# %%
for a in back:
    print(a.owner, a.log)
