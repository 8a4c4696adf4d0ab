# library: python
# compare: inventory, visited, transcript

# %%
import json
from enum import Enum

class Direction(Enum):
    NORTH = "n"
    SOUTH = "s"
    EAST = "e"
    WEST = "w"

world = {
    "hall": {"exits": {"n": "library", "e": "kitchen"}, "items": ["lamp"]},
    "library": {"exits": {"s": "hall"}, "items": ["book", "key"]},
    "kitchen": {"exits": {"w": "hall", "n": "cellar"}, "items": []},
    "cellar": {"exits": {"s": "kitchen"}, "items": ["wine"], "locked": True},
}
json.dump(world, open("world.json", "w"))

# %%
class Game:
    def __init__(self, filename, start="hall"):
        with open(filename) as f:
            self.rooms = json.load(f)
        self.here = start
        self.inventory = []
        self.visited = [start]

    def go(self, direction):
        exits = self.rooms[self.here]["exits"]
        if direction.value not in exits:
            return "You can't go that way."
        target = exits[direction.value]
        if self.rooms[target].get("locked") and "key" not in self.inventory:
            return "The door is locked."
        self.here = target
        if target not in self.visited:
            self.visited.append(target)
        return f"You are in the {target}."

    def take(self, item):
        items = self.rooms[self.here]["items"]
        if item in items:
            items.remove(item)
            self.inventory.append(item)
            return f"Taken: {item}."
        return f"There is no {item} here."

    def command(self, line):
        verb, _, rest = line.partition(" ")
        if verb == "go":
            return self.go(Direction(rest))
        if verb == "take":
            return self.take(rest)
        return "What?"

# %%
game = Game("world.json")
script = ["go e", "go n", "go w", "take lamp", "go n", "take key", "dance", "go s", "go e", "go n", "take wine"]
transcript = [game.command(line) for line in script]
for said, answer in zip(script, transcript):
    print(f"> {said}\n{answer}")

# %%
inventory = game.inventory
visited = game.visited
print(inventory, visited)

