# library: python
# compare: path_length, fib_values, tree_depth

# %%
# warm-up: memoised fibonacci
from functools import lru_cache

@lru_cache(maxsize=None)
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)

fib_values = [fib(i) for i in range(15)]
fib_values

# %%
maze = [
    "S.#.....",
    ".##.###.",
    "....#...",
    ".####.##",
    "......#E",
    "####....",
]
grid = [list(row) for row in maze]
H, W = len(grid), len(grid[0])

def find(symbol):
    for y, row in enumerate(grid):
        for x, cell in enumerate(row):
            if cell == symbol:
                return y, x

start, goal = find("S"), find("E")
start, goal

# %%
def solve(y, x, seen):
    if (y, x) == goal:
        return [(y, x)]
    for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        ny, nx = y + dy, x + dx
        if 0 <= ny < H and 0 <= nx < W and grid[ny][nx] != "#" and (ny, nx) not in seen:
            rest = solve(ny, nx, seen | {(ny, nx)})
            if rest:
                return [(y, x)] + rest
    return None

path = solve(*start, {start})
path_length = len(path)
path_length

# %%
for y, x in path[1:-1]:
    grid[y][x] = "*"
print("\n".join("".join(row) for row in grid))

# %%
tree = {"value": 1, "children": [{"value": 2, "children": [{"value": 5, "children": []}]}, {"value": 3, "children": []}]}

def depth(node):
    return 1 + max((depth(child) for child in node["children"]), default=0)

tree_depth = depth(tree)

