# library: python
# compare: batches, stats, primes

# %%
import itertools
import random

random.seed(8)
with open("readings.txt", "w") as f:
    for i in range(40):
        if i % 9 == 0:
            f.write("# comment\n")
        f.write(f"{i},{random.gauss(20, 3):.2f}\n")

# %%
def read_lines(path):
    with open(path) as f:
        for line in f:
            line = line.strip()
            if line and not line.startswith("#"):
                yield line

def parse(lines):
    for line in lines:
        idx, value = line.split(",")
        yield int(idx), float(value)

def smooth(pairs, n):
    window = []
    for idx, value in pairs:
        window.append(value)
        if len(window) > n:
            window.pop(0)
        yield idx, sum(window) / len(window)

# %%
pairs = list(smooth(parse(read_lines("readings.txt")), n=5))
print(len(pairs))
pairs[:3]

# %%
def batched(iterable, size):
    it = iter(iterable)
    while chunk := list(itertools.islice(it, size)):
        yield chunk

batches = [round(sum(v for _, v in chunk) / len(chunk), 3) for chunk in batched(pairs, 8)]
batches

# %%
values = [v for _, v in pairs]
stats = {
    "min": min(values),
    "max": max(values),
    "mean": sum(values) / len(values),
    "warm": sum(v > 20 for v in values),
}
stats

# %%
def sieve():
    found = {}
    for n in itertools.count(2):
        if n not in found:
            yield n
            found[n * n] = [n]
        else:
            for p in found.pop(n):
                found.setdefault(n + p, []).append(p)

primes = list(itertools.takewhile(lambda p: p < 60, sieve()))
primes

