# library: pillow
# needs: PIL, numpy
# compare: secret, hist_peak, channels, box

# %%
import numpy as np
from PIL import Image, ImageChops, ImageDraw

rng = np.random.default_rng(3)
pixels = rng.integers(0, 256, size=(40, 60, 3), dtype=np.uint8)
photo = Image.fromarray(pixels)
photo.save("photo.png")
photo.size, photo.mode

# %%
def hide(image, message):
    bits = [int(b) for ch in message.encode() + b"\0" for b in format(ch, "08b")]
    arr = np.array(image)
    flat = arr.reshape(-1)
    flat[:len(bits)] = (flat[:len(bits)] & 0xFE) | bits
    return Image.fromarray(flat.reshape(arr.shape))

def reveal(image):
    bits = np.array(image).reshape(-1) & 1
    chars = []
    for i in range(0, len(bits), 8):
        value = int("".join(map(str, bits[i:i + 8])), 2)
        if value == 0:
            break
        chars.append(chr(value))
    return "".join(chars)

# %%
stego = hide(Image.open("photo.png"), "meet at noon")
stego.save("stego.png")
secret = reveal(Image.open("stego.png"))
secret

# %%
diff = ImageChops.difference(photo, stego)
box = diff.getbbox()
print("changed area", box)

# %%
r, g, b = photo.split()
channels = [round(float(np.asarray(c).mean()), 2) for c in (r, g, b)]
hist_peak = int(np.argmax(photo.convert("L").histogram()))
swapped = Image.merge("RGB", (b, g, r))
left, upper, right, lower = 10, 5, 40, 30
patch = swapped.crop((left, upper, right, lower))
ImageDraw.Draw(swapped).line((0, 0) + swapped.size, fill=128, width=2)
patch.size

