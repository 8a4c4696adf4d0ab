# library: scipy
# needs: matplotlib, numpy, scipy
# compare: peak, final_size, beta_hat

# %%
import numpy as np
from scipy.integrate import odeint, solve_ivp
from scipy.optimize import minimize_scalar
import matplotlib.pyplot as plt

# Total population, initial infected and recovered
N = 1000
I0, R0 = 3, 0
S0 = N - I0 - R0
beta, gamma = 0.35, 1./10
t = np.linspace(0, 120, 121)

# %%
def deriv(y, t, N, beta, gamma):
    S, I, R = y
    dSdt = -beta * S * I / N
    dIdt = beta * S * I / N - gamma * I
    dRdt = gamma * I
    return dSdt, dIdt, dRdt

y0 = S0, I0, R0
ret = odeint(deriv, y0, t, args=(N, beta, gamma))
S, I, R = ret.T
ret.shape

# %%
fig = plt.figure(facecolor='w')
ax = fig.add_subplot(111, axisbelow=True)
ax.plot(t, S/1000, 'b', alpha=0.5, lw=2, label='Susceptible')
ax.plot(t, I/1000, 'r', alpha=0.5, lw=2, label='Infected')
ax.plot(t, R/1000, 'g', alpha=0.5, lw=2, label='Recovered')
ax.set_xlabel('Time /days')
ax.set_ylim(0, 1.2)
legend = ax.legend()
legend.get_frame().set_alpha(0.5)
for spine in ('top', 'right', 'bottom', 'left'):
    ax.spines[spine].set_visible(False)
plt.show()

# %%
peak = (int(t[I.argmax()]), round(float(I.max()), 1))
final_size = round(float(R[-1] / N), 4)
print('peak on day %d with %.0f infected' % peak)

# %%
rng = np.random.default_rng(19)
reported = rng.poisson(I[:40:4] * 0.5)

def misfit(b):
    sol = solve_ivp(lambda t, y: deriv(y, t, N, b, gamma), (0, 40), y0, t_eval=t[:40:4])
    return ((sol.y[1] * 0.5 - reported) ** 2).sum()

res = minimize_scalar(misfit, bounds=(0.1, 0.8), method='bounded')
beta_hat = round(res.x, 3)
beta_hat

