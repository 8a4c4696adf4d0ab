# group: data
# seen: 2026-11-29d
# fails: TypeError: 'float' object is not callable
# cause: search() stores the best value as self.score, which hides the method score; the attribute needs another name.
# holds: callable(tuner.score) -> True
# holds: round(float(tuner.best_score), 3) -> 0.817
# holds: round(float(tuner.best), 2) -> 0.43
# holds: round(float(test_f1), 3) -> 0.824

# %%
import numpy as np
from sklearn.metrics import f1_score

# %%
class ThresholdTuner:
    def __init__(self, grid):
        self.grid = grid
        self.best = None

    def score(self, y, p, t):
        return f1_score(y, (p >= t).astype(int))

    def search(self, y, p):
        vals = [self.score(y, p, t) for t in self.grid]
        i = int(np.argmax(vals))
        self.best = self.grid[i]
        self.score = vals[i]
        return self

# %% [repaired]
class ThresholdTuner:
    def __init__(self, grid):
        self.grid = grid
        self.best = None

    def score(self, y, p, t):
        return f1_score(y, (p >= t).astype(int))

    def search(self, y, p):
        vals = [self.score(y, p, t) for t in self.grid]
        i = int(np.argmax(vals))
        self.best = self.grid[i]
        self.best_score = vals[i]
        return self

# %%
rng = np.random.default_rng(2)
y_val = rng.integers(0, 2, 300); p_val = np.clip(y_val * .35 + rng.normal(.3, .2, 300), 0, 1)
y_test = rng.integers(0, 2, 300); p_test = np.clip(y_test * .35 + rng.normal(.3, .2, 300), 0, 1)

# %%
tuner = ThresholdTuner(np.linspace(.1, .9, 33))
tuner.search(y_val, p_val)
print("best threshold", tuner.best)

# %%
test_f1 = tuner.score(y_test, p_test, tuner.best)
print(f"test F1 {test_f1:.3f}")
