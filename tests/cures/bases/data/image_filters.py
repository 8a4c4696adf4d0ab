# library: numpy
# needs: numpy
# compare: edges_sum, thumb, padded_shape

# %%
import numpy as np

img = np.zeros((64, 64, 3), dtype=np.uint8)
img[16:48, 16:48, 0] = 200
img[24:40, 8:56, 1] = 120
print(img.shape, img.dtype, img.max())

# %%
def to_gray(rgb):
    weights = np.array([0.299, 0.587, 0.114])
    return (rgb.astype(np.float64) @ weights).round().astype(np.uint8)

gray = to_gray(img)
gray.shape

# %%
def convolve(image, kernel):
    kh, kw = kernel.shape
    ph, pw = kh // 2, kw // 2
    padded = np.pad(image.astype(float), ((ph, ph), (pw, pw)), mode="edge")
    out = np.zeros(image.shape, dtype=float)
    for dy in range(kh):
        for dx in range(kw):
            out += kernel[dy, dx] * padded[dy:dy + image.shape[0], dx:dx + image.shape[1]]
    return out

# %%
sobel_x = np.array([[1, 0, -1], [2, 0, -2], [1, 0, -1]])
gx = convolve(gray, sobel_x)
gy = convolve(gray, sobel_x.T)
edges = np.sqrt(gx ** 2 + gy ** 2)
edges_sum = float(edges.sum())
print("strongest edge", edges.max().round(1))

# %%
# thumbnail by block means
block = 8
thumb = gray.reshape(64 // block, block, 64 // block, block).mean(axis=(1, 3))
thumb.shape

# %%
batch = np.stack([img, img[::-1], img[:, ::-1]])
padded = np.pad(batch, [(0, 0), (2, 2), (2, 2), (0, 0)])
padded_shape = padded.shape
np.save("batch.npy", padded)
np.load("batch.npy").shape

