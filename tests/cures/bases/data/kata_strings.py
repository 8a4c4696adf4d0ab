# library: python
# compare: answers, romans, anagrams, zipped

# %%
# some katas from last week
def is_palindrome(s):
    letters = [c.lower() for c in s if c.isalnum()]
    return letters == letters[::-1]

def reverse_words(sentence):
    return " ".join(word[::-1] for word in sentence.split(" "))

def camel_case(s):
    first, *rest = s.split("_")
    return first + "".join(w.title() for w in rest)

def rle(s):
    if not s:
        return ""
    out, count = [], 1
    for prev, cur in zip(s, s[1:]):
        if prev == cur:
            count += 1
        else:
            out.append(f"{prev}{count}")
            count = 1
    out.append(f"{s[-1]}{count}")
    return "".join(out)

# %%
answers = {
    "palindrome": is_palindrome("A man, a plan, a canal: Panama"),
    "reverse": reverse_words("hello big world"),
    "camel": camel_case("total_price_per_unit"),
    "rle": rle("aaabccd"),
}
assert answers["rle"] == "a3b1c2d1"
answers

# %%
ROMAN = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]

def to_roman(n):
    s = ""
    for value, sign in ROMAN:
        k, n = divmod(n, value)
        s += sign * k
    return s

def from_roman(s):
    table = {sign: v for v, sign in ROMAN if len(sign) == 1}
    total = 0
    for a, b in zip(s, s[1:] + "I"):
        total += table[a] if table[a] >= table[b] else -table[a]
    return total

romans = {n: to_roman(n) for n in (4, 9, 58, 1994)}
[from_roman(r) for r in romans.values()]

# %%
words = "listen silent enlist google elbow below inlets".split()
groups = {}
for w in words:
    groups.setdefault("".join(sorted(w)), []).append(w)
anagrams = sorted(g for g in groups.values() if len(g) > 1)
zipped = dict(zip(map(len, anagrams), anagrams))
max(anagrams, key=len)

