# library: transformers
# needs: numpy, sklearn, torch, transformers
# compare: hidden_shape, pooled, acc, layers

# %%
import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from transformers import AutoModel, DistilBertConfig

torch.manual_seed(0)
np.random.seed(0)

# %%
config = DistilBertConfig(vocab_size=40, dim=24, n_layers=2, n_heads=2, hidden_dim=48, max_position_embeddings=16)
encoder = AutoModel.from_config(config)
encoder.eval()
layers = config.n_layers
encoder.config.model_type

# %%
y = np.random.randint(0, 2, 24)
ids = np.random.randint(5, 20, size=(24, 8))
ids[y == 1] += 15
lengths = np.random.randint(4, 9, size=24)
mask = (np.arange(8)[None, :] < lengths[:, None]).astype(int)
ids = ids * mask
ids[:2]

# %%
@torch.no_grad()
def embed(ids, mask, batch_size=8):
    chunks = []
    for i in range(0, len(ids), batch_size):
        inputs = {
            "input_ids": torch.tensor(ids[i:i + batch_size]),
            "attention_mask": torch.tensor(mask[i:i + batch_size]),
        }
        hidden = encoder(**inputs).last_hidden_state
        m = inputs["attention_mask"].unsqueeze(-1)
        chunks.append(((hidden * m).sum(1) / m.sum(1)).numpy())
    return np.concatenate(chunks)

features = embed(ids, mask)
hidden_shape = features.shape
hidden_shape

# %%
pooled = features.mean(axis=0)[:3].round(4)
clf = LogisticRegression(max_iter=300).fit(features[:16], y[:16])
acc = clf.score(features[16:], y[16:])
print(f"held-out accuracy {acc:.2f}")
