# group: data
# seen: 2026-11-29
# fails: UFuncTypeError: Cannot cast ufunc 'divide' output from dtype('float64') to dtype('uint8') with casting rule 'same_kind'
# cause: load_gray returns a uint8 array; the in-place division in normalize cannot put floats in it.
# holds: str(norm.dtype)[:5] -> 'float'
# holds: float(norm.max()) -> 1.0
# holds: float(norm.min()) -> 0.0
# holds: round(float(norm.mean()),4) -> 0.2535
# holds: edges.shape -> (96, 96)

# %%
import numpy as np
import matplotlib.pyplot as plt

# %%
def load_gray(size=96, seed=0):
    """stand-in for imageio.imread(...).mean(axis=2)"""
    r = np.random.default_rng(seed)
    yy, xx = np.mgrid[:size, :size]
    disc = ((xx - size / 2) ** 2 + (yy - size / 2) ** 2 < (size / 4) ** 2) * 120
    img = (disc + 40 + r.integers(0, 30, (size, size))).astype(np.uint8)
    return img

# %%
def normalize(img):
    lo, hi = img.min(), img.max()
    img -= lo
    img /= (hi - lo)
    return img

# %% [repaired]
def normalize(img):
    img = img.astype(float)
    lo, hi = img.min(), img.max()
    img -= lo
    img /= (hi - lo)
    return img

# %%
img = load_gray()
fig, ax = plt.subplots(1, 2, figsize=(6, 3))
ax[0].imshow(img, cmap="gray"); ax[1].hist(img.ravel(), bins=64);

# %%
norm = normalize(img.copy())
norm.mean()

# %%
gy, gx = np.gradient(norm)
edges = np.hypot(gx, gy) > .2
plt.imshow(edges);
