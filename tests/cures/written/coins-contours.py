# group: data
# seen: 2026-11-30h
# fails: ValueError: not enough values to unpack (expected 3, got 2)
# cause: since OpenCV 4 findContours returns two values (contours, hierarchy); the old tutorial unpacks three.
# holds: len(contours) -> 5
# holds: len(big) -> 3
# holds: hierarchy.shape -> (1, 5, 4)

# %%
import cv2
import numpy as np
import matplotlib.pyplot as plt

# %%
# fake "coins" photo
img = np.full((200, 300, 3), 30, np.uint8)
for (cx, cy, r) in [(50, 50, 22), (130, 60, 30), (230, 50, 18), (70, 150, 26), (200, 140, 35)]:
    cv2.circle(img, (cx, cy), r, (200, 180, 90), -1)
plt.imshow(cv2.cvtColor(img, cv2.COLOR_BGR2RGB)); plt.show()

# %%
gray = cv2.cvtColor(img, cv2.COLOR_BGR2GRAY)
ret, thresh = cv2.threshold(gray, 100, 255, cv2.THRESH_BINARY)
thresh.shape, ret

# %%
im2, contours, hierarchy = cv2.findContours(thresh, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)

# %% [repaired]
contours, hierarchy = cv2.findContours(thresh, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)

# %%
print("coins found:", len(contours))
areas = sorted(cv2.contourArea(c) for c in contours)
big = [a for a in areas if a > 2000]

# %%
out = cv2.drawContours(img.copy(), contours, -1, (0, 0, 255), 2)
plt.imshow(out[:, :, ::-1]); plt.axis("off"); plt.show()
