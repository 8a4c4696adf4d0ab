# library: opencv
# needs: PIL, cv2, matplotlib, numpy
# compare: shapes, corner_value, counts, biggest, kp_count

# %%
import cv2
import numpy as np
import os
from PIL import Image
import matplotlib.pyplot as plt

# %%
os.makedirs("frames", exist_ok=True)
for k in range(4):
    frame = np.zeros((100, 150, 3), np.uint8)
    frame[:] = (30, 30, 30)
    cv2.circle(frame, (30 + 25 * k, 50), 12, (0, 200, 255), -1)
    cv2.rectangle(frame, (5, 5), (20, 15), (255, 0, 0), -1)
    cv2.imwrite(f"frames/frame_{k}.png", frame)

# %%
paths = sorted(os.path.join("frames", p) for p in os.listdir("frames") if p.endswith(".png"))
frames = [cv2.imread(p) for p in paths]
len(frames), frames[0].shape

# %%
def show(img, title=""):
    plt.figure(figsize=(3, 2))
    if img.ndim == 2:
        plt.imshow(img, cmap="gray")
    else:
        plt.imshow(cv2.cvtColor(img, cv2.COLOR_BGR2RGB))
    plt.title(title)
    plt.show()

show(frames[0], "first frame")

# %%
b, g, r = cv2.split(frames[0])
corner_value = frames[0][10, 10].tolist()
print(b.max(), g.max(), r.max(), corner_value)

# %%
grays = [cv2.cvtColor(f, cv2.COLOR_BGR2GRAY) for f in frames]
diff = cv2.absdiff(grays[0], grays[1])
_, moved = cv2.threshold(diff, 25, 255, cv2.THRESH_BINARY)
show(moved, "what moved")

# %%
counts = []
for prev, cur in zip(grays[:-1], grays[1:]):
    d = cv2.absdiff(prev, cur)
    counts.append(int((d > 25).sum()))
counts

# %%
kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
closed = cv2.dilate(moved, kernel, iterations=1)
cnts, _ = cv2.findContours(closed.copy(), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
cnts = sorted(cnts, key=cv2.contourArea, reverse=True)
x, y, w, h = cv2.boundingRect(cnts[0])
biggest = (x, y, w, h)
biggest

# %%
crop = frames[0][y:y + h, x:x + w]
resized = cv2.resize(crop, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
flipped = cv2.flip(resized, 1)
shapes = [crop.shape, resized.shape, flipped.shape]
shapes

# %%
corners = cv2.goodFeaturesToTrack(grays[0], maxCorners=10, qualityLevel=0.05, minDistance=5)
kp_count = len(corners)
for c in corners:
    cx, cy = c.ravel()
    cv2.circle(frames[0], (int(cx), int(cy)), 2, (0, 0, 255), -1)

# %%
stacked = np.hstack([cv2.copyMakeBorder(f, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=(255, 255, 255)) for f in frames])
Image.fromarray(stacked[:, :, ::-1]).save("strip.jpg")
Image.open("strip.jpg").size

