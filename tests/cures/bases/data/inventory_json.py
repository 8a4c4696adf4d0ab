# library: python
# compare: low_stock, value, reloaded

# %%
import json
from dataclasses import dataclass, field, asdict
from typing import List

# %%
@dataclass
class Item:
    sku: str
    name: str
    price: float
    stock: int = 0
    tags: List[str] = field(default_factory=list)

    @property
    def value(self):
        return self.price * self.stock

# %%
inventory = [
    Item("A-100", "Bolt M4", 0.12, 940, ["metal", "small"]),
    Item("A-205", "Hinge", 2.4, 18, tags=["metal"]),
    Item("B-001", "Wood glue", 5.99, 7),
    Item("C-310", "Sandpaper", 0.8, stock=120, tags=["paper"]),
]
with open("inventory.json", "w") as fp:
    json.dump([asdict(item) for item in inventory], fp, indent=1)

# %%
with open("inventory.json") as fp:
    reloaded = [Item(**record) for record in json.load(fp)]
print(reloaded[1])
assert reloaded == inventory

# %%
low_stock = sorted(item.name for item in reloaded if item.stock < 20)
value = round(sum(item.value for item in reloaded), 2)
by_tag = {}
for item in reloaded:
    for tag in item.tags:
        by_tag.setdefault(tag, []).append(item.sku)
print(low_stock, value)
by_tag

