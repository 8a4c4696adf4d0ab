# group: data
# seen: 2026-11-29b
# fails: TypeError: Object of type int64 is not JSON serializable
# cause: the counts are NumPy integers straight from pandas, json knows only Python's own.
# holds: back["visits"]["total"] -> 54
# holds: back["visits"]["best_day"] -> 'Sat'
# holds: type(back["visits"]["max"]).__name__ -> 'int'

# %%
import json
from pathlib import Path
import tempfile
import pandas as pd

# %%
df = pd.DataFrame({"day": ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
                   "visits": [4, 7, 3, 9, 11, 20]})
df.describe()

# %%
report = {
    "site": "museum",
    "visits": {
        "total": df["visits"].sum(),
        "max": df["visits"].max(),
        "best_day": df.loc[df["visits"].idxmax(), "day"],
    },
}
report

# %% [repaired]
report = {
    "site": "museum",
    "visits": {
        "total": int(df["visits"].sum()),
        "max": int(df["visits"].max()),
        "best_day": df.loc[df["visits"].idxmax(), "day"],
    },
}
report

# %%
out = Path(tempfile.mkdtemp()) / "report.json"
out.write_text(json.dumps(report, indent=2))

# %%
back = json.loads(out.read_text())
print(back)
