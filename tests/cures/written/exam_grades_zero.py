# group: data
# seen: 2026-11-29c
# fails: ValueError: Cannot convert float NaN to integer
# cause: pd.cut leaves out the lowest edge, so students with 0 points get no grade (NaN); include_lowest=True is missing.
# holds: int(exam["grade"].isna().sum()) -> 0
# holds: exam.loc[exam["points"] == 0, "grade"].tolist() -> [5, 5]
# holds: int(exam["grade"].max()) -> 5

# %%
import numpy as np
import pandas as pd

# %%
np.random.seed(42)
exam = pd.DataFrame({
    "student": [f"s{i:03d}" for i in range(60)],
    "points": np.random.randint(5, 101, 60),
})
# did not show up / empty sheet
exam.loc[[7, 33], "points"] = 0
exam["points"].describe()

# %%
# German grades: 5 = failed, 1 = very good
exam["grade"] = pd.cut(exam["points"], bins=[0, 49, 62, 75, 88, 100], labels=[5, 4, 3, 2, 1])
exam.head(3)

# %% [repaired]
# German grades: 5 = failed, 1 = very good
exam["grade"] = pd.cut(exam["points"], bins=[0, 49, 62, 75, 88, 100], labels=[5, 4, 3, 2, 1], include_lowest=True)
exam.head(3)

# %%
exam["grade"].value_counts(sort=False)

# %%
exam["grade"] = exam["grade"].astype(int)
print("average grade", exam["grade"].mean())

# %%
failed = exam[exam["grade"] == 5]
print(f"{len(failed)} of {len(exam)} failed")
