# group: data
# seen: 2026-11-29d
# fails: error: OpenCV(5.0.0) /io/opencv/modules/imgproc/src/color.simd_helpers.hpp:94: error: (-2:Unspecified error) in function 'cv::impl::{anonymous}::CvtHelper<VScn, VDcn, VDepth, sizePolicy>::CvtHelper(cv::InputArray, cv::OutputArray, int) [with VScn = cv::impl::{anonymous}::Set<3, 4>; VDcn = cv::impl::{anonymous}::Set<1>; VDepth = cv::impl::{anonymous}::Set<0, 2, 5>; cv::impl::{anonymous}::SizePolicy sizePolicy = cv::impl::<unnamed>::NONE; cv::InputArray = const cv::_InputArray&; cv::OutputArray = const cv::_OutputArray&]'
# cause: brighten() does its arithmetic in float64 and returns that; cvtColor knows no 64-bit images. Clip and go back to
#   uint8 in brighten().
# holds: bright.dtype -> dtype('uint8')
# holds: int(bright.max()) -> 255
# holds: edges.shape -> (90, 140)
# holds: n_contours -> 2

# %%
import cv2
import numpy as np
import matplotlib.pyplot as plt

# %%
photo = np.full((90, 140, 3), 60, np.uint8)
cv2.rectangle(photo, (20, 20), (60, 70), (200, 120, 90), -1)
cv2.rectangle(photo, (85, 30), (125, 60), (90, 220, 210), -1)
photo.shape, photo.dtype

# %%
def brighten(image, gain=1.2, bias=10):
    """linear brightness correction"""
    return image * gain + bias

# %% [repaired]
def brighten(image, gain=1.2, bias=10):
    """linear brightness correction"""
    return np.clip(image * gain + bias, 0, 255).astype(np.uint8)

# %%
bright = brighten(photo)
print(bright.mean())

# %%
gray = cv2.cvtColor(bright, cv2.COLOR_BGR2GRAY)
edges = cv2.Canny(gray, 50, 120)
contours, _ = cv2.findContours(edges, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
n_contours = len(contours)
plt.imshow(edges, cmap="gray")
plt.show()
