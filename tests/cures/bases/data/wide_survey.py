# library: pandas
# needs: numpy, pandas
# compare: scores, alpha, top_box

# %%
import pandas as pd, numpy as np
rng = np.random.default_rng(42)
answers = ["Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree"]
survey = pd.DataFrame({"respondent": np.arange(60), "age_group": rng.choice(["18-29", "30-49", "50+"], 60)})
base = rng.normal(0, 1, 60)
for q in ["Q1_easy", "Q2_fast", "Q3_recommend", "Q4_confusing"]:
    level = np.clip(np.round(base + rng.normal(0, .7, 60) + 2), 0, 4).astype(int)
    if q.startswith("Q4"): level = 4 - level
    survey[q] = [answers[l] for l in level]
survey.to_csv("survey.csv", sep="|", index=False)

# %%
df = pd.read_csv("survey.csv", sep="|")
df.head(3)

# %%
df["Q1_easy"].value_counts()

# %%
scale = {a: i for i, a in enumerate(answers, start=1)}
q_cols = [c for c in df.columns if c.startswith("Q")]
num = df[q_cols].apply(lambda col: col.map(scale))
num["Q4_confusing"] = 6 - num["Q4_confusing"]     # reversed item
num.mean()

# %%
k = num.shape[1]
alpha = k / (k - 1) * (1 - num.var().sum() / num.sum(axis=1).var())
print(f"Cronbach's alpha = {alpha:.2f}")

# %%
df["score"] = num.mean(axis=1)
scores = df.groupby("age_group")["score"].agg(["mean", "std", "count"]).round(3)
top_box = (num >= 4).mean().round(3).to_dict()
scores

