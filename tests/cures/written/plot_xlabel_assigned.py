# group: data
# seen: 2026-11-29e
# fails: TypeError: 'str' object is not callable
# cause: plt.xlabel = ... replaced the function by a string in the first plot; it must be called.
# holds: xl -> 'month of the year'
# holds: callable(plt.xlabel) -> True

# %%
import numpy as np
import matplotlib.pyplot as plt

# %%
x = np.arange(1, 13)
rain = np.array([55, 43, 48, 40, 61, 70, 82, 77, 58, 60, 66, 63])

# %%
plt.bar(x, rain)
plt.xlabel = "month"
plt.title("Rain (mm)")
plt.show()

# %% [repaired]
plt.bar(x, rain)
plt.xlabel("month")
plt.title("Rain (mm)")
plt.show()

# %%
print(rain.sum(), "mm per year")

# %%
plt.plot(x, np.cumsum(rain), marker="o")
plt.xlabel("month of the year")
xl = plt.gca().get_xlabel()
plt.show()
