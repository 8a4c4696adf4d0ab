# library: pillow
# needs: PIL, pandas
# compare: catalog, total_pixels, mode_counts

# %%
from pathlib import Path
from PIL import Image, ImageEnhance
import pandas as pd

base = Path("images")
for i, (kind, mode) in enumerate([("cat", "RGB"), ("cat", "L"), ("dog", "RGB"), ("dog", "RGBA"), ("dog", "RGB")]):
    folder = base / kind
    folder.mkdir(parents=True, exist_ok=True)
    color = {"RGB": (60 * i, 100, 50), "L": 130, "RGBA": (10, 20, 200, 128)}[mode]
    Image.new(mode, (200 + 20 * i, 150), color).save(folder / f"{kind}_{i}.png")

# %%
paths = sorted(base.rglob("*.png"))
[str(p) for p in paths]

# %%
info = []
for p in paths:
    with Image.open(p) as im:
        info.append({"file": p.name, "class": p.parent.name, "width": im.width, "height": im.height, "mode": im.mode})
catalog = pd.DataFrame(info)
catalog

# %%
mode_counts = catalog["mode"].value_counts().to_dict()
total_pixels = int((catalog["width"] * catalog["height"]).sum())
print(mode_counts, total_pixels)

# %%
out_dir = Path("thumbs")
out_dir.mkdir(exist_ok=True)
for p in paths:
    im = Image.open(p).convert("RGB")
    im.thumbnail((64, 64))
    im = ImageEnhance.Brightness(im).enhance(1.2)
    im.save(out_dir / (p.stem + ".jpg"), "JPEG")
sizes = {p.stem: Image.open(p).size for p in sorted(out_dir.iterdir())}
sizes

