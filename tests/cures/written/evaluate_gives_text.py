# group: torch
# seen: 2026-11-29c
# fails: TypeError: '>' not supported between instances of 'str' and 'float'
# cause: evaluate() returns the accuracy as formatted text for printing; the loop compares it with a number, so it must return the number.
# holds: isinstance(best_acc, float) -> True
# holds: best_state is not None -> True
# holds: best_acc == max(accs) -> True

# %%
import torch
import torch.nn as nn
import copy
torch.manual_seed(12)

# %%
X = torch.randn(240, 5)
y = (X[:, 0] + 0.5 * X[:, 3] > 0).long()
Xtr, ytr, Xva, yva = X[:180], y[:180], X[180:], y[180:]

# %%
def evaluate(model, X, y):
    model.eval()
    with torch.no_grad():
        acc = (model(X).argmax(1) == y).float().mean().item()
    model.train()
    return f"{acc:.3f}"

# %% [repaired]
def evaluate(model, X, y):
    model.eval()
    with torch.no_grad():
        acc = (model(X).argmax(1) == y).float().mean().item()
    model.train()
    return acc

# %%
model = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Dropout(0.1), nn.Linear(12, 2))
print("accuracy before training:", evaluate(model, Xva, yva))

# %%
opt = torch.optim.Adam(model.parameters(), lr=0.02)
best_acc, best_state = 0.0, None
accs = []
for epoch in range(8):
    loss = nn.functional.cross_entropy(model(Xtr), ytr)
    opt.zero_grad(); loss.backward(); opt.step()
    acc = evaluate(model, Xva, yva)
    accs.append(acc)
    if acc > best_acc:
        best_acc, best_state = acc, copy.deepcopy(model.state_dict())

# %%
model.load_state_dict(best_state)
print("best:", best_acc)
