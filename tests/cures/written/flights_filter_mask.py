# group: data
# seen: 2026-11-30g
# fails: IndexingError: Unalignable boolean Series provided as indexer (index of the boolean Series and of the indexed object do not match).
# cause: the mask is made from the shortened table (cancelled flights dropped) and then used on the whole one, whose index has
#   more rows; the filter belongs on `ok`.
# holds: late.shape[0] -> 3
# holds: late["flight"].tolist() -> ['AF90', 'KL5', 'LX3']
# holds: bool(late["delay"].notna().all()) -> True

# %%
import pandas as pd

# %%
flights = pd.DataFrame({
    "flight": ["LH12", "BA7", "AF90", "KL5", "SK44", "LX3", "OS8"],
    "dep": ["08:10", "09:00", "09:20", "10:45", "11:30", "12:05", "13:15"],
    "delay": [5.0, None, 42.0, 18.0, None, 75.0, 0.0],
})
flights

# %%
# None = cancelled
ok = flights.dropna(subset=["delay"])
print(len(flights), "->", len(ok))

# %%
is_late = ok["delay"] > 15
is_late.value_counts()

# %%
late = flights[is_late]
late.head()

# %% [repaired]
late = ok[is_late]
late.head()

# %%
print("mean delay of late flights: %.1f min" % late["delay"].mean())
