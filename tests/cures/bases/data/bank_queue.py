# library: python
# compare: waits, busiest, served_by, hist

# %%
import heapq
import random
from collections import deque

random.seed(77)
OPEN, CLOSE = 0, 120     # minutes
TELLERS = ["t1", "t2"]

arrivals = []
t = OPEN
n = 0
while True:
    t += random.expovariate(1 / 3.0)
    if t > CLOSE:
        break
    n += 1
    arrivals.append((t, "c%03d" % n, random.uniform(2, 8)))
print("%d customers" % len(arrivals))

# %%
events = [(when, "arrive", name, service) for when, name, service in arrivals]
heapq.heapify(events)
queue = deque()
free = list(TELLERS)
waits = {}
served_by = {teller: 0 for teller in TELLERS}
longest = 0

while events:
    now, kind, who, info = heapq.heappop(events)
    if kind == "arrive":
        queue.append((now, who, info))
    else:
        free.append(info)
    while queue and free:
        came, customer, service = queue.popleft()
        teller = free.pop(0)
        waits[customer] = round(now - came, 2)
        served_by[teller] += 1
        heapq.heappush(events, (now + service, "done", customer, teller))
    longest = max(longest, len(queue))

print("longest queue: %d, mean wait: %.2f min" % (longest, sum(waits.values()) / len(waits)))

# %%
busiest = max(served_by, key=served_by.get)
hist = [0] * 5
for w in waits.values():
    hist[min(int(w // 5), 4)] += 1
for i, count in enumerate(hist):
    label = "%2d-%2d" % (5 * i, 5 * i + 5) if i < 4 else "  20+"
    print(label, "*" * count)

