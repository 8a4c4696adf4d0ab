# group: data
# seen: 2026-11-29e
# fails: KeyError: "None of ['member_id'] are in the columns"
# cause: the cell with set_index was run a second time, the column is already the index then.
# order: 1, 2, 3, 4, 3, 5
# again: 1, 2, 3, 4, 5
# holds: members.index.name -> 'member_id'
# holds: list(members.columns) -> ['plan', 'visits']
# holds: int(members.loc["m03", "visits"]) -> 7

# %%
import pandas as pd

# %%
members = pd.DataFrame({"member_id": [f"m{i:02d}" for i in range(1, 7)],
                        "plan": ["basic", "plus", "basic", "plus", "basic", "basic"],
                        "visits": [4, 12, 7, 9, 0, 3]})
members

# %%
members = members.set_index("member_id")
members.head(2)

# %%
members.groupby("plan")["visits"].mean()

# %%
print(members.loc["m03"])
