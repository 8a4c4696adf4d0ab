# library: python
# compare: balances, statement, failed

# %%
class InsufficientFunds(Exception):
    pass


class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.history = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount):
        if amount > self.balance:
            raise InsufficientFunds(f"{self.owner} has only {self.balance}")
        self.balance -= amount
        self.history.append(("withdraw", amount))

    def __repr__(self):
        return f"Account({self.owner!r}, {self.balance})"

# %%
class SavingsAccount(Account):
    def __init__(self, owner, balance=0, rate=0.02):
        super().__init__(owner, balance)
        self.rate = rate

    def add_interest(self):
        self.deposit(round(self.balance * self.rate, 2))

# %%
alice = Account("Alice", 100)
bob = SavingsAccount("Bob", 500, rate=0.05)
alice.deposit(50)
bob.add_interest()
alice, bob

# %%
def transfer(src, dst, amount):
    src.withdraw(amount)
    dst.deposit(amount)

failed = []
for amount in [30, 80, 400]:
    try:
        transfer(alice, bob, amount)
    except InsufficientFunds as e:
        failed.append(str(e))
print(failed)

# %%
balances = {acc.owner: acc.balance for acc in (alice, bob)}
statement = "\n".join(f"{kind:<10}{amount:>8.2f}" for kind, amount in bob.history)
print(statement)
