# library: numpy
# needs: matplotlib, numpy
# compare: period, energy_drift, max_angle

# %%
from numpy import *
from matplotlib.pyplot import *

g = 9.81
L = 1.2
dt = 0.002
tmax = 6.0
theta0 = 0.6
N = int(tmax/dt)

t = linspace(0, tmax, N)
theta = zeros(N)
omega = zeros(N)
theta[0] = theta0

# Euler-Cromer
for i in range(N-1):
    omega[i+1] = omega[i] - g/L*sin(theta[i])*dt
    theta[i+1] = theta[i] + omega[i+1]*dt

plot(t, theta)
plot(t, theta0*cos(sqrt(g/L)*t), 'r--')
xlabel('t [s]')
ylabel(r'$\theta$ [rad]')
legend(['numeric', 'small angle'])
show()

# %%
# period from the zero crossings
crossings = where(diff(sign(theta)) != 0)[0]
half_periods = diff(t[crossings])
period = 2*mean(half_periods)
print('T = %.3f s, small angle: %.3f s' % (period, 2*pi*sqrt(L/g)))

# %%
E = 0.5*(L*omega)**2 + g*L*(1 - cos(theta))
energy_drift = (E.max() - E.min())/E[0]
max_angle = abs(theta).max()*180/pi
figure()
subplot(211); plot(t, E)
subplot(212); plot(theta, omega)
close('all')
print(energy_drift, max_angle)

