# library: opencv
# needs: cv2, numpy
# compare: n_coins, areas, mean_color

# %%
import cv2
import numpy as np

canvas = np.full((200, 300, 3), 40, dtype=np.uint8)
for (x, y, radius) in [(50, 60, 22), (140, 90, 30), (240, 60, 18), (90, 160, 25), (230, 150, 28)]:
    cv2.circle(canvas, (x, y), radius, (60, 180, 210), thickness=-1)
cv2.imwrite("coins.png", canvas)

# %%
img = cv2.imread("coins.png")
print(img.shape)
gray = cv2.cvtColor(img, cv2.COLOR_BGR2GRAY)
blurred = cv2.GaussianBlur(gray, (5, 5), 0)
blurred.shape

# %%
ret, thresh = cv2.threshold(blurred, 90, 255, cv2.THRESH_BINARY)
contours, hierarchy = cv2.findContours(thresh, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
n_coins = len(contours)
print("coins found:", n_coins)

# %%
areas = sorted(round(cv2.contourArea(c)) for c in contours)
boxes = [cv2.boundingRect(c) for c in contours]
out = img.copy()
for x, y, w, h in boxes:
    cv2.rectangle(out, (x, y), (x + w, y + h), (0, 0, 255), 2)
cv2.imwrite("coins_boxes.jpg", out)
areas

# %%
mask = np.zeros(gray.shape, dtype=np.uint8)
cv2.drawContours(mask, contours, -1, 255, -1)
mean_color = np.round(cv2.mean(img, mask=mask)[:3])
mean_color

