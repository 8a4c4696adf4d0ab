# library: pillow
# needs: PIL, numpy
# compare: size, colors, exif_free

# %%
from PIL import Image, ImageDraw, ImageFilter, ImageOps
import numpy as np
import glob
import os

# %%
os.makedirs("photos", exist_ok=True)
palette = {"red": (200, 40, 40), "green": (40, 160, 60), "blue": (50, 80, 190), "sand": (220, 200, 150)}
for i, (name, rgb) in enumerate(palette.items()):
    im = Image.new("RGB", (120 + 10 * i, 90), rgb)
    draw = ImageDraw.Draw(im)
    draw.rectangle([10, 10, 50, 40], outline="white", width=3)
    im.save(f"photos/{i:02d}_{name}.png")

# %%
files = sorted(glob.glob("photos/*.png"))
images = [Image.open(f).convert("RGB") for f in files]
for f, im in zip(files, images):
    print(os.path.basename(f), im.size, im.mode)

# %%
def square(im, side=64):
    return ImageOps.fit(im, (side, side))

tiles = [square(im) for im in images]
sheet = Image.new("RGB", (64 * 2, 64 * 2), "black")
for k, tile in enumerate(tiles):
    sheet.paste(tile, ((k % 2) * 64, (k // 2) * 64))
sheet.save("collage.jpg", quality=90)
size = sheet.size

# %%
arr = np.array(sheet)
print(arr.shape, arr.dtype)
colors = arr.reshape(-1, 3).mean(axis=0).round(1)
gray = sheet.convert("L").filter(ImageFilter.GaussianBlur(2))
gray.size, gray.getpixel((0, 0))

# %%
exif_free = len(Image.open("collage.jpg").getexif()) == 0
exif_free
