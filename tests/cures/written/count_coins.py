# group: data
# seen: 2026-11-30f
# fails: ValueError: not enough values to unpack (expected 3, got 2)
# cause: findContours returns two values (contours, hierarchy) since OpenCV 4; the code from an old tutorial unpacks three.
# holds: len(contours) -> 5
# holds: len(areas) -> 5
# holds: bool(2500 < max(areas) < 3000) -> True

# %%
import numpy as np
import cv2

# %%
img = np.zeros((200, 320), np.uint8)
for x, y, r in [(50, 60, 22), (130, 80, 30), (220, 50, 25), (260, 140, 18), (90, 150, 20)]:
    cv2.circle(img, (x, y), r, 255, -1)
print(img.shape, img.dtype, img.max())

# %%
blur = cv2.GaussianBlur(img, (5, 5), 0)
ret, thresh = cv2.threshold(blur, 127, 255, cv2.THRESH_BINARY)
ret

# %%
# step 3: find the outlines
im2, contours, hierarchy = cv2.findContours(thresh, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)

# %% [repaired]
# step 3: find the outlines
contours, hierarchy = cv2.findContours(thresh, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)

# %%
areas = sorted(cv2.contourArea(c) for c in contours)
print(len(contours), "coins, areas:", areas)
