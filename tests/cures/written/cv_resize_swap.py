# group: data
# seen: 2026-11-29e
# fails: ValueError: operands could not be broadcast together with shapes (120,200,3) (200,120,3)
# cause: cv2.resize wants (width, height), but shape[:2] is (height, width).
# holds: logo_big.shape -> (120, 200, 3)
# holds: mix.shape -> (120, 200, 3)
# holds: mix.shape == photo.shape -> True

# %%
import numpy as np
import cv2
import matplotlib.pyplot as plt

# %%
photo = np.zeros((120, 200, 3), np.uint8)
photo[:, :, 1] = np.linspace(0, 255, 200).astype(np.uint8)
cv2.circle(photo, (100, 60), 30, (255, 0, 0), -1)
print(photo.shape)

# %%
logo = np.full((40, 40, 3), 200, np.uint8)
cv2.putText(logo, "A", (8, 30), cv2.FONT_HERSHEY_SIMPLEX, 1, (0, 0, 0), 2)
plt.imshow(logo); plt.show()

# %%
logo_big = cv2.resize(logo, photo.shape[:2])

# %% [repaired]
logo_big = cv2.resize(logo, (photo.shape[1], photo.shape[0]))

# %%
mix = (0.7 * photo + 0.3 * logo_big).astype(np.uint8)
plt.imshow(mix); plt.axis("off"); plt.show()

# %%
gray = cv2.cvtColor(mix, cv2.COLOR_BGR2GRAY)
print(gray.mean())
