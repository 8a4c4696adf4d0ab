# library: numpy
# needs: numpy
# compare: stats, onehot_sum, split_sizes, aug_equal, loaded_keys

# %%
import numpy as np
from pathlib import Path

np.random.seed(1)
n_imgs, h, w, ch = 20, 16, 16, 3
x = np.random.randint(0, 256, (n_imgs, h, w, ch)).astype('uint8')
y = np.random.choice(['cat', 'dog', 'owl'], size=n_imgs)
Path('data').mkdir(exist_ok=True)
np.savez('data/pets.npz', x=x, y=y)

# %%
archive = np.load('data/pets.npz')
loaded_keys = archive.files
images, names = archive['x'], archive['y']
images.shape, names[:5]

# %%
classes, y_idx = np.unique(names, return_inverse=True)
y_onehot = np.zeros((len(y_idx), len(classes)))
y_onehot[np.arange(len(y_idx)), y_idx] = 1
onehot_sum = y_onehot.sum(axis=0)
onehot_sum

# %%
images = images / 255.0
mean = images.mean(axis=(0, 1, 2))
std = images.std(axis=(0, 1, 2))
normed = (images - mean) / std
stats = np.round([normed.mean(), normed.std()], 5)
stats

# %%
def random_flip(batch, rng):
    flip = rng.random(len(batch)) < 0.5
    out = batch.copy()
    out[flip] = out[flip][:, :, ::-1]
    return out, flip

rng = np.random.default_rng(0)
aug, flipped = random_flip(normed, rng)
aug_equal = int((aug == normed).all(axis=(1, 2, 3)).sum())
aug_equal, (~flipped).sum()

# %%
idx = np.random.permutation(n_imgs)
train_idx, val_idx, test_idx = np.split(idx, [12, 16])
split_sizes = [len(train_idx), len(val_idx), len(test_idx)]
x_flat = normed[train_idx].reshape(len(train_idx), -1)
print(split_sizes, x_flat.shape)

