# library: python
# compare: top, lengths, longest

# %%
text = """It was the best of times, it was the worst of times, it was the age of wisdom,
it was the age of foolishness, it was the epoch of belief, it was the epoch of incredulity,
it was the season of Light, it was the season of Darkness, it was the spring of hope,
it was the winter of despair."""

with open("tale.txt", "w", encoding="utf-8") as f:
    f.write(text)

# %%
import string

def clean(line):
    table = str.maketrans("", "", string.punctuation)
    return line.lower().translate(table).split()

# %%
words = []
with open("tale.txt", encoding="utf-8") as f:
    for line in f:
        words.extend(clean(line))
print(len(words), "words,", len(set(words)), "different")

# %%
freq = {}
for w in words:
    freq[w] = freq.get(w, 0) + 1

stopwords = {"it", "was", "the", "of"}
ranked = sorted(freq.items(), key=lambda kv: (-kv[1], kv[0]))
top = [(w, c) for w, c in ranked if w not in stopwords][:4]
top

# %%
from itertools import groupby

lengths = {n: len(list(g)) for n, g in groupby(sorted(words, key=len), key=len)}
longest = max(words, key=len)
print(longest.upper().center(30, "*"))

