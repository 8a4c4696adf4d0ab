# group: data
# seen: 2026-11-28
# fails: ValueError: setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. The detected shape was (40,) + inhomogeneous part.
# cause: The signal's length is no multiple of 256, so the last frame of split_frames is shorter and
#   np.array(frames) is ragged.
# holds: spec.shape[0] in (39, 40) -> True
# holds: spec.shape[1] -> 129
# holds: float(freqs[spec[:39].mean(axis=0).argmax()]) -> 1000.0

# %%
import numpy as np
fs = 8000
rng = np.random.default_rng(6)

# %%
t = np.arange(0, 1.25, 1 / fs)
signal = np.sin(2 * np.pi * 1000 * t) + .3 * np.sin(2 * np.pi * 2500 * t) + rng.normal(0, .1, t.size)
print(signal.shape)

# %%
def split_frames(signal, size=256):
    return [signal[i:i + size] for i in range(0, len(signal), size)]

# %% [repaired]
def split_frames(signal, size=256):
    return [signal[i:i + size] for i in range(0, len(signal) - size + 1, size)]

# %%
window = np.hanning(256)
freqs = np.fft.rfftfreq(256, 1 / fs)
frames = split_frames(signal)
print(len(frames), "frames")

# %%
frames = np.array(frames) * window
spec = np.abs(np.fft.rfft(frames, axis=1))

# %%
print("strongest:", freqs[spec.mean(axis=0).argmax()], "Hz")
