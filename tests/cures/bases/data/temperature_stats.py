# library: scipy
# needs: numpy, scipy
# compare: t_stat, p_values, params

# %%
import numpy as np
from scipy import stats
from scipy.optimize import curve_fit

rng = np.random.default_rng(31)
control = rng.normal(36.6, 0.4, 40)
treated = rng.normal(36.9, 0.4, 38)
control.mean(), treated.mean()

# %%
t_stat, p = stats.ttest_ind(control, treated, equal_var=False)
u_stat, p_u = stats.mannwhitneyu(control, treated)
print(f"t = {t_stat:.3f}, p = {p:.4g}; U = {u_stat}, p = {p_u:.4g}")

# %%
shapiro = stats.shapiro(treated)
p_values = {"welch": round(p, 6), "mannwhitney": round(p_u, 6), "shapiro": round(shapiro.pvalue, 4)}
p_values

# %%
def cooling(t, ambient, start, k):
    return ambient + (start - ambient) * np.exp(-k * t)

minutes = np.arange(0, 60, 3)
coffee = cooling(minutes, 21.0, 88.0, 0.045) + rng.normal(0, 0.5, minutes.size)

# %%
popt, pcov = curve_fit(cooling, minutes, coffee, p0=[20, 90, 0.1])
params = popt.round(4)
perr = np.sqrt(np.diag(pcov))
for name, value, err in zip(("ambient", "start", "k"), params, perr):
    print(f"{name:8} {value:8.3f} +- {err:.3f}")

