# group: data
# seen: 2026-11-29e
# fails: KeyError: 'index'
# cause: since pandas 2 value_counts().reset_index() has the columns answer and count, not index and answer.
# holds: total -> 28
# holds: bars -> {'yes': 14, 'no': 9, 'maybe': 5}

# %%
import pandas as pd
import matplotlib.pyplot as plt

# %%
survey = pd.DataFrame({"answer": ["yes"] * 14 + ["no"] * 9 + ["maybe"] * 5, "age": list(range(20, 48))})
survey.sample(5, random_state=3)

# %%
vc = survey["answer"].value_counts().reset_index()
vc

# %%
bars = dict(zip(vc["index"], vc["answer"]))
plt.bar(bars.keys(), bars.values())
plt.show()

# %% [repaired]
bars = dict(zip(vc["answer"], vc["count"]))
plt.bar(bars.keys(), bars.values())
plt.show()

# %%
total = sum(bars.values())
for k, v in bars.items():
    print(f"{k:6s} {v / total:.0%}")
