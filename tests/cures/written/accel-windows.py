# group: data
# seen: 2026-11-30h
# fails: ValueError: setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. The detected shape was (16,) + inhomogeneous part.
# cause: the last window is shorter than 64 samples (the range runs up to the end), so the list is ragged; only complete
#   windows may be taken.
# holds: W.shape -> (15, 64, 3)
# holds: feats.shape -> (15, 6)
# holds: bool((W[-1] == acc[-(len(acc) % WIN) - WIN:-(len(acc) % WIN)]).all()) -> True

# %%
import numpy as np
import matplotlib.pyplot as plt

# %%
# 3 axis accelerometer, 50 Hz, about 20 s walking
rng = np.random.default_rng(5)
tt = np.arange(1010) / 50
acc = np.stack([np.sin(2 * np.pi * 2 * tt), 0.5 * np.cos(2 * np.pi * 2 * tt), np.full_like(tt, 9.81)], axis=1)
acc += rng.normal(0, 0.1, acc.shape)
acc.shape

# %%
# windows of 64 samples, the rest at the end is not needed
WIN = 64
windows = []
for start in range(0, len(acc), WIN):
    windows.append(acc[start:start + WIN])
print(len(windows))

# %% [repaired]
# windows of 64 samples, the rest at the end is not needed
WIN = 64
windows = []
for start in range(0, len(acc) - WIN + 1, WIN):
    windows.append(acc[start:start + WIN])
print(len(windows))

# %%
W = np.array(windows)
W.shape

# %%
feats = np.concatenate([W.mean(axis=1), W.std(axis=1)], axis=1)
plt.imshow(feats, aspect="auto"); plt.colorbar(); plt.show()
