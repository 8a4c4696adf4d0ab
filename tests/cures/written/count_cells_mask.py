# group: data
# seen: 2026-11-29c
# fails: error: OpenCV(5.0.0) /io/opencv/modules/imgproc/src/connectedcomponents.cpp:5662: error: (-215:Assertion failed) iDepth == CV_8U || iDepth == CV_8S in function 'connectedComponents_sub1'
# cause: make_mask() returns an int64 image (np.where of 1 and 0), but connectedComponents needs 8 bits per pixel.
# holds: str(mask.dtype) -> 'uint8'
# holds: n_labels - 1 -> 7
# holds: int(mask.sum()) == int(stats[1:, cv2.CC_STAT_AREA].sum()) -> True

# %%
import cv2
import numpy as np
import matplotlib.pyplot as plt

# %%
# fake microscope picture: 7 bright cells
img = np.full((200, 260), 30, np.uint8)
for cx, cy, r in [(30, 40, 12), (90, 30, 9), (150, 60, 14), (220, 40, 10), (60, 130, 15), (140, 150, 11), (215, 150, 16)]:
    cv2.circle(img, (cx, cy), r, 200, -1)
img = cv2.GaussianBlur(img, (5, 5), 0)
plt.imshow(img, cmap="gray"); plt.show()

# %%
def make_mask(image, thresh=110):
    return np.where(image > thresh, 1, 0)

# %% [repaired]
def make_mask(image, thresh=110):
    return np.where(image > thresh, 1, 0).astype(np.uint8)

# %%
mask = make_mask(img)
print(mask.shape, "covered:", mask.mean().round(3))

# %%
n_labels, labels, stats, centroids = cv2.connectedComponentsWithStats(mask, connectivity=8)

# %%
print("cells:", n_labels - 1)
for s in stats[1:]:
    print("area", s[cv2.CC_STAT_AREA])
