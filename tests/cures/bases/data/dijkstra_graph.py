# library: python
# compare: shortest, route, components

# %%
import heapq
from collections import deque

edges_txt = """A B 4
A C 2
C B 1
B D 5
C D 8
D E 3
X Y 1"""

# %%
graph = {}
for row in edges_txt.split("\n"):
    u, v, w = row.split()
    graph.setdefault(u, {})[v] = int(w)
    graph.setdefault(v, {})[u] = int(w)
graph

# %%
def dijkstra(graph, source):
    dist = {node: float("inf") for node in graph}
    prev = {}
    dist[source] = 0
    queue = [(0, source)]
    while queue:
        d, node = heapq.heappop(queue)
        if d > dist[node]:
            continue
        for other, weight in graph[node].items():
            nd = d + weight
            if nd < dist[other]:
                dist[other] = nd
                prev[other] = node
                heapq.heappush(queue, (nd, other))
    return dist, prev

shortest, prev = dijkstra(graph, "A")
shortest

# %%
def path_to(target):
    path = [target]
    while path[-1] in prev:
        path.append(prev[path[-1]])
    return path[::-1]

route = " -> ".join(path_to("E"))
print(route, "costs", shortest["E"])

# %%
components = []
todo = set(graph)
while todo:
    start = min(todo)
    seen, frontier = {start}, deque([start])
    while frontier:
        for other in graph[frontier.popleft()]:
            if other not in seen:
                seen.add(other)
                frontier.append(other)
    components.append(sorted(seen))
    todo -= seen
components
