# library: pandas
# needs: pandas
# compare: passed, subject_stats, letter_counts

# %%
import pandas as pd

# %%
grades = {
    "student": ["Ann", "Ben", "Cy", "Dee", "Eli", "Fay"],
    "class": ["10A", "10B", "10A", "10B", "10A", "10B"],
    "math": [88, 92, 79, None, 65, 51],
    "physics": ["91", "85", "absent", "78", "60", "49"],
    "art": [75, 88, 93, 81, 70, 99],
}
df = pd.DataFrame(grades)
df

# %%
df.dtypes

# %%
df["physics"] = pd.to_numeric(df["physics"], errors="coerce")
subjects = ["math", "physics", "art"]
df[subjects] = df[subjects].fillna(0)
df["total"] = df[subjects].sum(axis=1)
df["average"] = (df["total"] / len(subjects)).round(1)
df.sort_values("average", ascending=False)

# %%
def to_letter(x):
    if x >= 85: return "A"
    if x >= 70: return "B"
    if x >= 55: return "C"
    return "F"

df["letter"] = df["average"].apply(to_letter)
letter_counts = df["letter"].value_counts().to_dict()

# %%
passed = df.loc[df["average"] > 60, ["student", "class", "average"]].reset_index(drop=True)
passed

# %%
subject_stats = df.groupby("class")[subjects].agg(["mean", "max"])
subject_stats[("math", "mean")]

# %%
best = df.iloc[df["total"].idxmax()]
print(f"{best['student']} from {best['class']} has {best['total']:.0f} points")
df.to_csv("grades_final.csv", index=False)

