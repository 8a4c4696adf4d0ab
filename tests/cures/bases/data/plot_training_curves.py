# library: matplotlib
# needs: matplotlib, numpy
# compare: best_epoch, smoothed, xlim, n_lines

# %%
import json
import numpy as np
import matplotlib.pyplot as plt

# a log as the training script writes it
rng = np.random.default_rng(9)
with open("train_log.jsonl", "w") as f:
    for epoch in range(20):
        rec = {"epoch": epoch, "loss": 2.0 * 0.85 ** epoch + rng.random() * 0.1,
               "val_loss": 2.1 * 0.88 ** epoch + 0.004 * epoch ** 1.5 + rng.random() * 0.1,
               "lr": 0.01 if epoch < 10 else 0.001}
        f.write(json.dumps(rec) + "\n")

# %%
with open("train_log.jsonl") as f:
    log = [json.loads(line) for line in f]
loss = np.array([r["loss"] for r in log])
val_loss = np.array([r["val_loss"] for r in log])
lr = [r["lr"] for r in log]
print(loss.shape, val_loss.min().round(3))

# %%
def moving_average(x, w=5):
    return np.convolve(x, np.ones(w) / w, mode="valid")

smoothed = moving_average(val_loss)
best_epoch = int(val_loss.argmin())
best_epoch

# %%
fig, ax = plt.subplots(figsize=(7, 4))
ax.plot(loss, label="train")
ax.plot(val_loss, label="validation", alpha=0.5)
ax.plot(np.arange(4, 20), smoothed, "k--", linewidth=1, label="smoothed")
ax.axvline(best_epoch, color="green", linestyle=":")
ax.annotate("best", xy=(best_epoch, val_loss[best_epoch]), xytext=(best_epoch - 5, 1.5), arrowprops={"arrowstyle": "->"})
ax.set_xlim(0, 19)
ax.set_xlabel("epoch")
ax.legend()
n_lines = len(ax.lines)
xlim = ax.get_xlim()

# %%
twin = ax.twinx()
twin.step(range(len(lr)), lr, color="grey", where="post")
twin.set_yscale("log")
twin.set_ylabel("learning rate")
fig.savefig("curves.png", dpi=72)
fig

