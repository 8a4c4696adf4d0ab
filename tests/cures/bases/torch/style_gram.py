# library: torch
# needs: PIL, numpy, torch
# compare: content_shape, style_losses, final_pixels

# %%
from PIL import Image
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

yy, xx = np.mgrid[0:24, 0:24]
Image.fromarray((np.stack([xx, yy, (xx + yy) // 2], axis=-1) * 10).astype(np.uint8)).save("content.png")
Image.fromarray(np.where((xx // 4 + yy // 4)[..., None] % 2 == 0, [250, 30, 60], [20, 40, 200]).astype(np.uint8)).save("style.png")

# %%
def image_loader(name, size=24):
    image = Image.open(name).convert("RGB").resize((size, size))
    tensor = torch.from_numpy(np.array(image)).float().div(255)
    return tensor.permute(2, 0, 1).unsqueeze(0)

content_img = image_loader("content.png")
style_img = image_loader("style.png")
assert content_img.shape == style_img.shape, "we need to import style and content images of the same size"
content_shape = tuple(content_img.shape)
content_shape

# %%
torch.manual_seed(0)
cnn = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 12, 3, padding=1)).eval()
for p in cnn.parameters():
    p.requires_grad_(False)

# %%
def gram_matrix(x):
    b, c, h, w = x.size()
    feats = x.view(b * c, h * w)
    return torch.mm(feats, feats.t()).div(b * c * h * w)

target_gram = gram_matrix(cnn(style_img)).detach()
target_content = cnn(content_img).detach()
target_gram.shape

# %%
input_img = content_img.clone().requires_grad_(True)
optimizer = torch.optim.Adam([input_img], lr=0.05)
style_losses = []
for run in range(8):
    optimizer.zero_grad()
    feats = cnn(input_img)
    style_score = F.mse_loss(gram_matrix(feats), target_gram)
    content_score = F.mse_loss(feats, target_content)
    loss = 1000 * style_score + content_score
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        input_img.clamp_(0, 1)
    style_losses.append(style_score.item())
style_losses[-1] < style_losses[0]

# %%
result = (input_img.detach().squeeze(0).permute(1, 2, 0).numpy() * 255).astype(np.uint8)
Image.fromarray(result).save("out.png")
final_pixels = result.reshape(-1, 3).mean(axis=0).round(0)
final_pixels
