# library: opencv
# needs: cv2, numpy
# compare: location, rotated_shape, crop_mean, warped_corner

# %%
import numpy as np
import cv2 as cv

scene = np.zeros((90, 140), dtype=np.uint8)
cv.rectangle(scene, (70, 30), (100, 55), 255, -1)
cv.circle(scene, (85, 42), 6, 0, -1)
cv.putText(scene, "OK", (10, 20), cv.FONT_HERSHEY_SIMPLEX, 0.5, 180, 1)
cv.imwrite("scene.png", scene)
template = scene[28:58, 68:103].copy()
template.shape

# %%
img = cv.imread("scene.png", cv.IMREAD_GRAYSCALE)
h, w = template.shape
res = cv.matchTemplate(img, template, cv.TM_CCOEFF_NORMED)
min_val, max_val, min_loc, max_loc = cv.minMaxLoc(res)
location = max_loc
print(location, round(max_val, 3))

# %%
top_left = location
bottom_right = (top_left[0] + w, top_left[1] + h)
crop = img[top_left[1]:bottom_right[1], top_left[0]:bottom_right[0]]
crop_mean = round(float(crop.mean()), 2)
crop_mean

# %%
rows, cols = img.shape
M = cv.getRotationMatrix2D((cols / 2, rows / 2), 90, 1)
rotated = cv.warpAffine(img, M, (cols, rows))
rotated_shape = cv.rotate(img, cv.ROTATE_90_CLOCKWISE).shape

pts1 = np.float32([[10, 10], [120, 10], [10, 80], [120, 80]])
pts2 = np.float32([[0, 0], [100, 0], [0, 100], [100, 100]])
P = cv.getPerspectiveTransform(pts1, pts2)
warped = cv.warpPerspective(img, P, (100, 100))
warped_corner = (P @ np.array([10, 10, 1])).round(3)
warped.shape, warped_corner

