# group: data
# seen: 2026-11-29
# fails: AttributeError: Can't pickle local object 'make_counter.<locals>.count'
# cause: make_counter returns a local function, which multiprocessing cannot pickle; pool.map fails two cells later.
# holds: total.most_common(3) -> [('times', 2), ('age', 2), ('season', 2)]
# holds: len(parts) -> 3
# holds: sum(total.values()) -> 12

# %%
import re
from collections import Counter
from functools import partial
from multiprocessing import get_context

# %%
CHAPTERS = [
    "It was the best of times, it was the worst of times",
    "it was the age of wisdom, it was the age of foolishness",
    "it was the season of light, it was the season of darkness",
]
STOP = {"it", "was", "the", "of"}

# %%
def make_counter(stop):
    def count(text):
        return Counter(w for w in re.findall(r"[a-z]+", text.lower()) if w not in stop)
    return count

counter = make_counter(STOP)

# %% [repaired]
def count_words(text, stop):
    return Counter(w for w in re.findall(r"[a-z]+", text.lower()) if w not in stop)

counter = partial(count_words, stop=STOP)

# %%
counter(CHAPTERS[0])     # works

# %%
with get_context("fork").Pool(2) as pool:
    parts = pool.map(counter, CHAPTERS)

# %%
total = sum(parts, Counter())
total.most_common(5)
