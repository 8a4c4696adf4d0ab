# group: data
# seen: 2026-11-29b
# fails: ValueError: operands could not be broadcast together with shapes (120,200) (200,120)
# cause: cv2.resize wants (width, height) while shape[:2] is (height, width).
# holds: big.shape -> (120, 200)
# holds: out.shape -> (120, 200)
# holds: (int(out[0, 0]), int(out[119, 199])) -> (100, 60)

# %%
import cv2
import numpy as np
import matplotlib.pyplot as plt

# %%
# page of a scan (landscape) and a small watermark
page = np.full((120, 200), 200, dtype=np.uint8)
page[100:, 150:] = 120
mark = np.zeros((6, 10), np.uint8)
mark[2:4, 2:8] = 255
page.shape, mark.shape

# %%
big = cv2.resize(mark, page.shape[:2], interpolation=cv2.INTER_NEAREST)
print("watermark now", big.shape)

# %% [repaired]
h, w = page.shape[:2]
big = cv2.resize(mark, (w, h), interpolation=cv2.INTER_NEAREST)
print("watermark now", big.shape)

# %%
out = page * 0.5 + big * 0.5
out = out.astype(np.uint8)

# %%
plt.imshow(out, cmap="gray", vmin=0, vmax=255)
plt.axis("off")
plt.show()
print(out.min(), out.max())
