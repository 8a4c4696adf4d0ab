# group: data
# seen: 2026-11-30h
# fails: TypeError: 'str' object is not callable
# cause: plt.xlabel = "..." and plt.ylabel = "..." overwrite the functions of pyplot by strings; they must be called.
# holds: callable(plt.xlabel), callable(plt.ylabel) -> (True, True)
# holds: (ax1.get_xlabel(), ax1.get_ylabel()) -> ('weight (kg)', 'height (cm)')
# holds: (ax2.get_xlabel(), ax2.get_ylabel()) -> ('BMI', 'people')

# %%
import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
import pandas as pd

# %%
np.random.seed(21)
df = pd.DataFrame({"weight": np.random.normal(70, 12, 80)})
df["height"] = 110 + df["weight"] * 0.85 + np.random.normal(0, 5, 80)
df.head()

# %%
plt.figure()
plt.scatter(df["weight"], df["height"])
plt.xlabel = "weight (kg)"
plt.ylabel = "height (cm)"
ax1 = plt.gca()
plt.show()

# %% [repaired]
plt.figure()
plt.scatter(df["weight"], df["height"])
plt.xlabel("weight (kg)")
plt.ylabel("height (cm)")
ax1 = plt.gca()
plt.show()

# %%
bmi = df["weight"] / (df["height"] / 100) ** 2
bmi.describe()

# %%
plt.figure()
sns.histplot(bmi)
plt.xlabel("BMI")
plt.ylabel("people")
ax2 = plt.gca()
plt.show()
