# library: opencv
# needs: cv2, matplotlib, numpy
# compare: otsu, equal_mean, n_lines, green_share

# %%
import cv2
import numpy as np
from matplotlib import pyplot as plt

# %%
leaf = np.full((120, 160, 3), (200, 210, 215), np.uint8)
cv2.ellipse(leaf, (80, 60), (50, 25), 30, 0, 360, (40, 140, 60), -1)
cv2.line(leaf, (45, 40), (115, 80), (30, 90, 40), 2)
noise = np.random.default_rng(0).integers(-10, 10, leaf.shape)
leaf = np.clip(leaf.astype(int) + noise, 0, 255).astype(np.uint8)
cv2.imwrite('leaf.png', leaf)

# %%
bgr = cv2.imread('leaf.png', cv2.IMREAD_COLOR)
rgb = cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB)
plt.imshow(rgb)
plt.axis('off')
plt.show()

# %%
gray = cv2.imread('leaf.png', 0)
hist = cv2.calcHist([gray], [0], None, [32], [0, 256])
plt.plot(hist)
plt.show()
hist.shape

# %%
otsu, binary = cv2.threshold(gray, 0, 255, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)
kernel = np.ones((3, 3), np.uint8)
opened = cv2.morphologyEx(binary, cv2.MORPH_OPEN, kernel, iterations=2)
print('threshold', otsu, 'pixels', cv2.countNonZero(opened))

# %%
hsv = cv2.cvtColor(bgr, cv2.COLOR_BGR2HSV)
mask = cv2.inRange(hsv, np.array([35, 60, 40]), np.array([85, 255, 255]))
green_share = round(cv2.countNonZero(mask) / mask.size, 4)
green_share

# %%
equal = cv2.equalizeHist(gray)
equal_mean = equal.mean().round(1)
edges = cv2.Canny(opened, 50, 150)
lines = cv2.HoughLinesP(edges, 1, np.pi / 180, threshold=20, minLineLength=15, maxLineGap=5)
n_lines = 0 if lines is None else min(len(lines), 50)
small = cv2.resize(bgr, (80, 60), interpolation=cv2.INTER_AREA)
small.shape

