# library: python
# compare: sold, change_given, final_stock, states

# %%
from enum import Enum, auto
from dataclasses import dataclass
from typing import NamedTuple

class State(Enum):
    IDLE = auto()
    HAS_MONEY = auto()
    SOLD_OUT = auto()

class Product(NamedTuple):
    name: str
    price: int

COINS = [200, 100, 50, 20, 10]

# %%
def make_change(amount):
    change = {}
    for coin in COINS:
        n, amount = divmod(amount, coin)
        if n:
            change[coin] = n
    return change

make_change(380)

# %%
@dataclass
class Slot:
    product: Product
    count: int

class Machine:
    def __init__(self, slots):
        self.slots = {code: slot for code, slot in slots}
        self.credit = 0
        self.log = []

    @property
    def state(self):
        if all(slot.count == 0 for slot in self.slots.values()):
            return State.SOLD_OUT
        return State.HAS_MONEY if self.credit else State.IDLE

    def insert(self, coin):
        if coin not in COINS:
            raise ValueError(f"unknown coin: {coin}")
        self.credit += coin
        return self.credit

    def buy(self, code):
        slot = self.slots[code]
        if slot.count == 0:
            raise RuntimeError("sold out")
        if self.credit < slot.product.price:
            missing = slot.product.price - self.credit
            raise RuntimeError(f"insert {missing} more")
        slot.count -= 1
        rest = self.credit - slot.product.price
        self.credit = 0
        self.log.append(slot.product.name)
        return slot.product.name, make_change(rest)

machine = Machine([("A1", Slot(Product("water", 120), 1)), ("B2", Slot(Product("bar", 90), 2))])
machine.state

# %%
change_given, states = [], [machine.state.name]
orders = [("A1", [100, 50]), ("B2", [50]), ("B2", [50]), ("A1", [200]), ("B2", [100])]
for code, coins in orders:
    for c in coins:
        machine.insert(c)
    try:
        item, change = machine.buy(code)
        change_given.append((item, change))
    except RuntimeError as problem:
        print(code, "->", problem)
    states.append(machine.state.name)
change_given

# %%
sold = machine.log
final_stock = {code: slot.count for code, slot in machine.slots.items()}
print(sold, final_stock, states[-1])
