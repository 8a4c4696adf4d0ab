# group: data
# seen: 2026-11-29
# fails: TypeError: expected x and y to have same length
# order: 1, 2, 3, 4, 4, 5
# cause: escape_times is created in cell 1 and only appended to in the simulation cell 4, which was run twice: 24
#   results for 12 temperatures in polyfit.
# holds: len(escape_times) -> 12
# holds: len(fit) -> 2
# holds: temps.shape -> (12,)

# %% [markdown]
# Random walk out of a well: does the escape time grow like exp(1/T)?

# %%
import numpy as np
rng = np.random.default_rng(123)
escape_times = []

# %%
def escape(T, barrier=1.0, dt=.05, max_steps=4000):
    x = 0.0
    for n in range(max_steps):
        x += -2 * barrier * x * dt + np.sqrt(2 * T * dt) * rng.normal()
        if abs(x) > 1:
            return n * dt
    return max_steps * dt

# %%
temps = np.linspace(.3, 1.4, 12)
n_rep = 20

# %%
for T in temps:
    escape_times.append(np.mean([escape(T) for _ in range(n_rep)]))
    print(f"T={T:.2f}  {escape_times[-1]:.2f}")

# %% [repaired]
escape_times = []
for T in temps:
    escape_times.append(np.mean([escape(T) for _ in range(n_rep)]))
    print(f"T={T:.2f}  {escape_times[-1]:.2f}")

# %%
fit = np.polyfit(1 / temps, np.log(escape_times), 1)
print("slope:", fit[0].round(3))
