# library: python
# compare: results, average_guesses, scoreboard

# %%
import random

random.seed(1234)
LOW, HIGH = 1, 100

# %%
def play(secret, strategy):
    lo, hi = LOW, HIGH
    guesses = []
    while True:
        g = strategy(lo, hi)
        guesses.append(g)
        if g == secret:
            return guesses
        if g < secret:
            lo = g + 1
        else:
            hi = g - 1

# %%
def bisect(lo, hi):
    return (lo + hi) // 2

def lucky(lo, hi):
    return random.randint(lo, hi)

strategies = {"bisect": bisect, "lucky": lucky}
play(37, bisect)

# %%
secrets = [random.randint(LOW, HIGH) for _ in range(50)]
results = {}
for name, strategy in strategies.items():
    results[name] = [len(play(s, strategy)) for s in secrets]

average_guesses = {name: sum(r) / len(r) for name, r in results.items()}
average_guesses

# %%
winner = min(average_guesses, key=average_guesses.get)
scoreboard = ""
for place, (name, avg) in enumerate(sorted(average_guesses.items(), key=lambda x: x[1]), start=1):
    scoreboard += "{}. {:<8} {:.2f}\n".format(place, name, avg)
print(scoreboard)

