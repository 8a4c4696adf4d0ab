# group: data
# seen: 2026-11-29b
# fails: ValueError: max() arg is an empty sequence
# cause: lengths is a map object, the mean used it up, and nothing is left for max().
# holds: longest -> 6
# holds: round(mean_len, 2) -> 3.6

# %%
reviews = [
    "Great phone",
    "Battery dies after a day",
    "ok",
    "Would not buy this one again",
    "Screen is superb really",
]

# %%
def n_words(s):
    return len(s.split())

lengths = map(n_words, reviews)

# %% [repaired]
def n_words(s):
    return len(s.split())

lengths = [n_words(r) for r in reviews]

# %%
mean_len = sum(lengths) / len(reviews)
print("mean length: %.1f words" % mean_len)

# %%
longest = max(lengths)
print("longest:", longest)

# %%
for r in reviews:
    if n_words(r) == longest:
        print("->", r)
