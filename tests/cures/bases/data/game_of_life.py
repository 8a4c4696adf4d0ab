# library: numpy
# needs: matplotlib, numpy
# compare: history, final_board, period

# %%
import numpy as np
import matplotlib.pyplot as plt

PATTERNS = {
    "glider": [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)],
    "blinker": [(0, 0), (0, 1), (0, 2)],
    "block": [(0, 0), (0, 1), (1, 0), (1, 1)],
}

# %%
def place(board, pattern, top, left):
    for r, c in PATTERNS[pattern]:
        board[top + r, left + c] = 1
    return board

board = np.zeros((20, 30), dtype=int)
place(board, "glider", 1, 1)
place(board, "blinker", 10, 12)
place(board, "block", 15, 20)
board.sum()

# %%
def neighbours(b):
    total = np.zeros_like(b)
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            if (dr, dc) != (0, 0):
                total += np.roll(np.roll(b, dr, axis=0), dc, axis=1)
    return total

def step(b):
    n = neighbours(b)
    return ((n == 3) | ((b == 1) & (n == 2))).astype(int)

# %%
history = [int(board.sum())]
current = board.copy()
for generation in range(12):
    current = step(current)
    history.append(int(current.sum()))
final_board = current
history

# %%
fig, axs = plt.subplots(1, 2, figsize=(8, 3))
axs[0].imshow(board, cmap="binary")
axs[1].imshow(final_board, cmap="binary")
for a in axs:
    a.set_xticks([])
    a.set_yticks([])
plt.show()

# %%
seen = {}
small = place(np.zeros((5, 5), int), "blinker", 2, 1)
t = 0
while small.tobytes() not in seen:
    seen[small.tobytes()] = t
    small = step(small)
    t += 1
period = t - seen[small.tobytes()]
period

