# group: data
# seen: 2026-11-29b
# fails: KeyError: 'topic'
# cause: since pandas 2 value_counts().reset_index() gives the columns topic and count (not index and topic), so the old
#   rename turns the topics themselves into a column n and leaves no topic.
# holds: list(counts["topic"])[:2] -> ['billing', 'login']
# holds: [int(v) for v in counts["n"]] -> [5, 3, 1]
# holds: round(float(counts["share"].iloc[0]), 1) -> 55.6

# %%
import pandas as pd
import matplotlib.pyplot as plt

tickets = pd.DataFrame({
    "id": range(100, 109),
    "topic": ["billing", "login", "billing", "billing", "crash", "login", "billing", "login", "billing"],
})
tickets.head(3)

# %%
counts = tickets["topic"].value_counts().reset_index()
counts = counts.rename(columns={"index": "topic", "topic": "n"})

# %% [repaired]
counts = tickets["topic"].value_counts().reset_index(name="n")

# %%
plt.figure(figsize=(5, 2))
plt.barh(counts["topic"], counts["n"], color="teal")
plt.gca().invert_yaxis()
plt.title("What do people write about?")
plt.show()

# %%
counts["share"] = 100 * counts["n"] / counts["n"].sum()
counts.round(1)

# %%
print("top topic:", counts.loc[0, "topic"])
