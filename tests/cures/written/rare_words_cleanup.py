# group: data
# seen: 2026-11-30f
# fails: RuntimeError: dictionary changed size during iteration
# cause: entries are deleted from the dict while the loop walks over it; it needs a copy of the keys (or a new dict).
# holds: sorted(freq.items()) -> [('and', 3), ('before', 2), ('go', 2), ('i', 3), ('miles', 2), ('sleep', 2), ('to', 3)]
# holds: min(freq.values()) -> 2

# %%
import re
import matplotlib.pyplot as plt

# %%
poem = """The woods are lovely, dark and deep,
But I have promises to keep,
And miles to go before I sleep,
And miles to go before I sleep."""

# %%
freq = {}
for w in re.findall(r"[a-z]+", poem.lower()):
    freq[w] = freq.get(w, 0) + 1
len(freq)

# %%
# throw away everything that comes only once
for w in freq:
    if freq[w] < 2:
        del freq[w]

# %% [repaired]
# throw away everything that comes only once
for w in list(freq):
    if freq[w] < 2:
        del freq[w]

# %%
words = sorted(freq, key=freq.get, reverse=True)
plt.barh(words, [freq[w] for w in words])
plt.show()
