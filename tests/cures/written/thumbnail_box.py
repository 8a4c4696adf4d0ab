# group: data
# seen: 2026-11-30f
# fails: error: OpenCV(5.0.0) :-1: error: (-5:Bad argument) in function 'resize'
# cause: box() returns the scaled width and height as floats, while cv2.resize wants integers.
# holds: small.shape -> (96, 128, 3)
# holds: [t.shape[:2] for t in thumbs] -> [(96, 128), (128, 96), (128, 128)]
# holds: max(max(t.shape) for t in thumbs) -> 128

# %%
import cv2
import numpy as np
import matplotlib.pyplot as plt

# %%
def fake_photo(h, w):
    im = np.full((h, w, 3), 230, np.uint8)
    cv2.circle(im, (w // 2, h // 2), min(h, w) // 3, (40, 90, 200), -1)
    cv2.line(im, (0, 0), (w - 1, h - 1), (0, 0, 0), 3)
    return im

photos = [fake_photo(300, 400), fake_photo(640, 480), fake_photo(256, 256)]
[p.shape for p in photos]

# %%
def box(img, longest=128):
    """(width, height) so that the long side has `longest` pixels"""
    h, w = img.shape[:2]
    f = longest / max(h, w)
    return w * f, h * f

# %% [repaired]
def box(img, longest=128):
    """(width, height) so that the long side has `longest` pixels"""
    h, w = img.shape[:2]
    f = longest / max(h, w)
    return round(w * f), round(h * f)

# %%
small = cv2.resize(photos[0], box(photos[0]), interpolation=cv2.INTER_AREA)
plt.imshow(cv2.cvtColor(small, cv2.COLOR_BGR2RGB))
plt.axis("off")
plt.show()

# %%
thumbs = [cv2.resize(p, box(p), interpolation=cv2.INTER_AREA) for p in photos]
print([t.shape for t in thumbs])
