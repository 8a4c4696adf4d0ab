# group: data
# seen: 2026-11-30g
# fails: ValueError: not enough values to unpack (expected 3, got 2)
# cause: the tutorial is for OpenCV 3, where findContours gave three values; now it gives contours and hierarchy only.
# holds: len(contours) -> 4
# holds: areas -> [12, 19, 28, 50]

# %% [markdown]
# Counting coins, following the blog post

# %%
import cv2
import numpy as np
import matplotlib.pyplot as plt

# %%
img = np.zeros((200, 300, 3), np.uint8)
for (x, y), r in [((50, 60), 25), ((140, 100), 40), ((240, 60), 20), ((230, 150), 30)]:
    cv2.circle(img, (x, y), r, (200, 180, 90), -1)
plt.imshow(cv2.cvtColor(img, cv2.COLOR_BGR2RGB)); plt.axis("off")
plt.show()

# %%
gray = cv2.cvtColor(img, cv2.COLOR_BGR2GRAY)
blur = cv2.GaussianBlur(gray, (5, 5), 0)
ret, thresh = cv2.threshold(blur, 60, 255, cv2.THRESH_BINARY)
print(thresh.shape, thresh.dtype)

# %%
im2, contours, hierarchy = cv2.findContours(thresh, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)

# %% [repaired]
contours, hierarchy = cv2.findContours(thresh, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)

# %%
areas = sorted(round(cv2.contourArea(c) / 100) for c in contours)
print("coins:", len(contours), areas)
