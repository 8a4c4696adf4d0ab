# group: data
# seen: 2026-11-29e
# fails: RecursionError: maximum recursion depth exceeded while calling a Python object
# cause: flatten calls itself with the same dict d in place of the nested value, so it never ends.
# holds: flat -> {'id': 1, 'opt.name': 'adam', 'opt.lr.start': 0.01, 'opt.lr.end': 0.001, 'acc': 0.91}
# holds: len(flat) -> 5

# %%
import pandas as pd

# %%
runs = [
    {"id": 1, "opt": {"name": "adam", "lr": {"start": 0.01, "end": 0.001}}, "acc": 0.91},
    {"id": 2, "opt": {"name": "sgd", "lr": {"start": 0.1, "end": 0.01}}, "acc": 0.88},
]

# %%
def flatten(d, prefix=""):
    out = {}
    for key, val in d.items():
        name = prefix + key
        if isinstance(val, dict):
            out.update(flatten(d, name + "."))
        else:
            out[name] = val
    return out

# %% [repaired]
def flatten(d, prefix=""):
    out = {}
    for key, val in d.items():
        name = prefix + key
        if isinstance(val, dict):
            out.update(flatten(val, name + "."))
        else:
            out[name] = val
    return out

# %%
flat = flatten(runs[0])
flat

# %%
table = pd.DataFrame([flatten(r) for r in runs])
table.sort_values("acc", ascending=False)
