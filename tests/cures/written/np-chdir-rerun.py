# group: data
# seen: 2026-11-29
# fails: FileNotFoundError: [Errno 2] No such file or directory: 'runs'
# order: 1, 2, 3, 4, 2
# again: 1, 2, 3, 4, 2, 5
# cause: Cell 2 changes into the run folder with os.chdir("runs") each time; run again, the relative path is looked
#   up within runs.
# holds: len(runs) -> 4
# holds: round(float(table.mean()),3) -> 1.502
# holds: sorted(os.path.basename(r) for r in runs) -> ['run_0.npy', 'run_1.npy', 'run_2.npy', 'run_3.npy']

# %%
import os, glob
import numpy as np
os.makedirs("runs", exist_ok=True)
for k in range(4):
    np.save(f"runs/run_{k}.npy", np.random.default_rng(k).normal(k, 1, (50, 3)))

# %% [repaired]
import os, glob
BASE = globals().get("BASE", os.getcwd())
os.chdir(BASE)
import numpy as np
os.makedirs("runs", exist_ok=True)
for k in range(4):
    np.save(f"runs/run_{k}.npy", np.random.default_rng(k).normal(k, 1, (50, 3)))

# %%
os.chdir("runs")
runs = sorted(glob.glob("*.npy"))
print(os.getcwd().split("/")[-1], runs)

# %% [repaired]
os.chdir(os.path.join(BASE, "runs"))
runs = sorted(glob.glob("*.npy"))
print(os.getcwd().split("/")[-1], runs)

# %%
table = np.stack([np.load(r) for r in runs])
table.shape

# %%
for name, block in zip(runs, table):
    print(name, block.mean(axis=0).round(2), block.std(axis=0).round(2))

# %%
drift = table.mean(axis=(1, 2))
print("slope per run:", np.polyfit(np.arange(len(runs)), drift, 1)[0])
