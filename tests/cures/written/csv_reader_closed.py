# group: data
# seen: 2026-11-30g
# fails: ValueError: I/O operation on closed file.
# cause: csv.reader reads lazily, and the file is closed when the with block ends; the rows must be collected inside it.
# holds: len(temps) -> 4
# holds: max(temps, key=temps.get) -> 'Stavanger'
# holds: round(sum(temps.values()) / len(temps), 2) -> 6.47

# %%
import csv
import matplotlib.pyplot as plt

# %%
with open("stations.csv", "w", newline="") as fh:
    w = csv.writer(fh)
    w.writerow(["station", "temp"])
    w.writerows([["Bergen", 8.1], ["Oslo", 6.3], ["Tromso", 2.9], ["Stavanger", 8.6]])

# %%
with open("stations.csv") as fh:
    reader = csv.reader(fh)
    header = next(reader)
print(header)

# %% [repaired]
with open("stations.csv") as fh:
    rows = csv.reader(fh)
    header = next(rows)
    reader = list(rows)
print(header)

# %%
temps = {}
for row in reader:
    temps[row[0]] = float(row[1])

# %%
plt.bar(list(temps), list(temps.values()))
plt.ylabel("deg C")
plt.show()
