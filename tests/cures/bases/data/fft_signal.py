# library: scipy
# needs: matplotlib, numpy, scipy
# compare: peaks_hz, snr, heart_rate

# %%
import numpy as np
import matplotlib.pyplot as plt
from scipy import signal
from scipy.fft import rfft, rfftfreq

FS = 200  # Hz
rng = np.random.default_rng(4)

# %%
t = np.arange(0, 5, 1 / FS)
clean = 1.2 * np.sin(2 * np.pi * 7 * t) + 0.6 * np.sin(2 * np.pi * 23 * t)
noisy = clean + rng.normal(scale=0.5, size=t.shape)
print(len(t), "samples")

# %%
spectrum = np.abs(rfft(noisy)) / len(t)
freqs = rfftfreq(len(t), d=1 / FS)
idx, props = signal.find_peaks(spectrum, height=0.15)
peaks_hz = freqs[idx].round(2)
peaks_hz

# %%
b, a = signal.butter(N=4, Wn=[5, 30], btype="bandpass", fs=FS)
filtered = signal.filtfilt(b, a, noisy)
snr = 10 * np.log10(np.var(clean) / np.var(filtered - clean))
print(f"SNR after filtering {snr:.1f} dB")

# %%
plt.figure(figsize=(8, 3))
plt.plot(t[:200], noisy[:200], alpha=.4, label="noisy")
plt.plot(t[:200], filtered[:200], label="filtered")
plt.legend()
plt.show()

# %%
beats = np.zeros(10 * FS)
beats[::150] = 1
ecg = np.convolve(beats, signal.windows.gaussian(21, std=3), mode="same")
r_peaks, _ = signal.find_peaks(ecg, distance=FS // 2)
heart_rate = 60 / (np.diff(r_peaks).mean() / FS)
heart_rate

