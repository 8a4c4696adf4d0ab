# group: data
# seen: 2026-11-29b
# fails: ValueError: Digital filter critical frequencies must be 0 < Wn < 1
# cause: the cut-off is given in Hz, but without fs= butter() takes it as a fraction of the Nyquist frequency.
# holds: bool(amp(smooth, 50) < 0.02) -> True
# holds: bool(abs(amp(smooth, 5) - 1.0) < 0.05) -> True

# %% [markdown]
# Remove the 50 Hz mains hum from a recording (low pass, cut at 15 Hz)

# %%
import numpy as np
import matplotlib.pyplot as plt
from scipy.signal import butter, filtfilt

# %%
fs = 250          # samples per second
t = np.arange(0, 4, 1/fs)
sig = np.sin(2*np.pi*5*t) + 0.4*np.sin(2*np.pi*50*t)
print(t.shape, sig.std())

# %%
def lowpass(x, cutoff, order=4):
    b, a = butter(order, cutoff, btype="low")
    return filtfilt(b, a, x)

# %% [repaired]
def lowpass(x, cutoff, order=4):
    b, a = butter(order, cutoff, btype="low", fs=fs)
    return filtfilt(b, a, x)

# %%
smooth = lowpass(sig, 15)
plt.plot(t[:250], sig[:250], lw=.5)
plt.plot(t[:250], smooth[:250])
plt.show()

# %%
def amp(x, f):
    """amplitude of the component at f Hz"""
    return 2 * abs(np.sum(x * np.exp(-2j*np.pi*f*t))) / len(x)

for f in (5, 50):
    print(f, "Hz:", round(amp(sig, f), 3), "->", round(amp(smooth, f), 3))
