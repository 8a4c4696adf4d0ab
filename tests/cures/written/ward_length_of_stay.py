# group: data
# seen: 2026-11-30f
# fails: TypeError: unsupported format string passed to Series.__format__
# cause: stays[["days"]].mean() is a Series (double brackets), and a Series can't be formatted with :.1f; single brackets give the number.
# holds: text -> 'Mean stay: 6.3 days over all wards'
# holds: round(float(stays["days"].mean()), 1) -> 6.3

# %%
import pandas as pd
import numpy as np

# %%
gen = np.random.default_rng(2024)
stays = pd.DataFrame({
    "ward": gen.choice(["ICU", "Surgery", "Maternity"], 90),
    "days": gen.integers(1, 15, 90),
})
stays.head()

# %%
per_ward = stays.groupby("ward")["days"].mean()
per_ward

# %%
text = f"Mean stay: {stays[['days']].mean():.1f} days over all wards"
print(text)

# %% [repaired]
text = f"Mean stay: {stays['days'].mean():.1f} days over all wards"
print(text)

# %%
for w, m in per_ward.items():
    print(f"{w:<10s} {m:5.1f}")
