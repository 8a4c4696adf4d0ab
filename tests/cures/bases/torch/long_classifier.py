# library: torch
# needs: matplotlib, numpy, pandas, sklearn, torch
# compare: class_counts, class2idx, loss_stats, report, heat

# %% [markdown]
# # Multiclass classification with PyTorch

# %%
import numpy as np
import pandas as pd
import matplotlib.pyplot as plt

# %%
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import Dataset, DataLoader

# %%
from sklearn.preprocessing import MinMaxScaler
from sklearn.model_selection import train_test_split
from sklearn.metrics import confusion_matrix, classification_report

# %% [markdown]
# ## Data

# %%
rng = np.random.default_rng(69)
wine = pd.DataFrame(rng.normal(size=(180, 5)).round(3), columns=['acid', 'sugar', 'ph', 'alcohol', 'sulph'])
wine['quality'] = pd.cut(wine['alcohol'] - wine['acid'], [-99, -0.6, 0.8, 99], labels=[3, 4, 5]).astype(int)
wine.to_csv('winequality-red.csv', index=False)

# %%
df = pd.read_csv('winequality-red.csv')
df.head()

# %%
class2idx = {3: 0, 4: 1, 5: 2}
idx2class = {v: k for k, v in class2idx.items()}
df['quality'] = df['quality'].replace(class2idx)

# %%
X = df.iloc[:, 0:-1]
y = df.iloc[:, -1]
X_trainval, X_test, y_trainval, y_test = train_test_split(X, y, test_size=0.2, stratify=y, random_state=69)
X_train, X_val, y_train, y_val = train_test_split(X_trainval, y_trainval, test_size=0.1, stratify=y_trainval, random_state=21)

# %%
scaler = MinMaxScaler()
X_train = scaler.fit_transform(X_train)
X_val = scaler.transform(X_val)
X_test = scaler.transform(X_test)
X_train, y_train = np.array(X_train), np.array(y_train)
X_val, y_val = np.array(X_val), np.array(y_val)
X_test, y_test = np.array(X_test), np.array(y_test)
print(X_train.shape, X_val.shape, X_test.shape)

# %%
def get_class_distribution(obj):
    count_dict = {"rating_3": 0, "rating_4": 0, "rating_5": 0}
    for i in obj:
        count_dict["rating_%d" % idx2class[int(i)]] += 1
    return count_dict

class_counts = get_class_distribution(y_train)
class_counts

# %% [markdown]
# ## Custom dataset

# %%
class ClassifierDataset(Dataset):

    def __init__(self, X_data, y_data):
        self.X_data = X_data
        self.y_data = y_data

    def __getitem__(self, index):
        return self.X_data[index], self.y_data[index]

    def __len__(self):
        return len(self.X_data)


train_dataset = ClassifierDataset(torch.from_numpy(X_train).float(), torch.from_numpy(y_train).long())
val_dataset = ClassifierDataset(torch.from_numpy(X_val).float(), torch.from_numpy(y_val).long())
test_dataset = ClassifierDataset(torch.from_numpy(X_test).float(), torch.from_numpy(y_test).long())

class_weights = 1. / torch.tensor(list(class_counts.values()), dtype=torch.float)
print(class_weights)

# %% [markdown]
# ## Model parameters

# %%
EPOCHS = 3
BATCH_SIZE = 20
LEARNING_RATE = 0.007
NUM_FEATURES = len(X.columns)
NUM_CLASSES = 3
torch.manual_seed(69)
train_loader = DataLoader(dataset=train_dataset, batch_size=BATCH_SIZE, shuffle=True)
val_loader = DataLoader(dataset=val_dataset, batch_size=1)
test_loader = DataLoader(dataset=test_dataset, batch_size=1)

# %%
class MulticlassClassification(nn.Module):
    def __init__(self, num_feature, num_class):
        super(MulticlassClassification, self).__init__()
        self.layer_1 = nn.Linear(num_feature, 32)
        self.layer_2 = nn.Linear(32, 16)
        self.layer_out = nn.Linear(16, num_class)
        self.relu = nn.ReLU()
        self.dropout = nn.Dropout(p=0.2)
        self.batchnorm1 = nn.BatchNorm1d(32)

    def forward(self, x):
        x = self.layer_1(x)
        x = self.batchnorm1(x)
        x = self.relu(x)
        x = self.layer_2(x)
        x = self.dropout(self.relu(x))
        return self.layer_out(x)

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
model = MulticlassClassification(num_feature=NUM_FEATURES, num_class=NUM_CLASSES)
model.to(device)
criterion = nn.CrossEntropyLoss(weight=class_weights.to(device))
optimizer = optim.Adam(model.parameters(), lr=LEARNING_RATE)
print(model)

# %% [markdown]
# ## Train model

# %%
def multi_acc(y_pred, y_test):
    y_pred_softmax = torch.log_softmax(y_pred, dim=1)
    _, y_pred_tags = torch.max(y_pred_softmax, dim=1)
    correct_pred = (y_pred_tags == y_test).float()
    return correct_pred.sum() / len(correct_pred) * 100

loss_stats = {'train': [], "val": []}
for e in range(1, EPOCHS + 1):
    train_epoch_loss, val_epoch_loss, val_epoch_acc = 0, 0, 0
    model.train()
    for X_train_batch, y_train_batch in train_loader:
        X_train_batch, y_train_batch = X_train_batch.to(device), y_train_batch.to(device)
        optimizer.zero_grad()
        train_loss = criterion(model(X_train_batch), y_train_batch)
        train_loss.backward()
        optimizer.step()
        train_epoch_loss += train_loss.item()
    with torch.no_grad():
        model.eval()
        for X_val_batch, y_val_batch in val_loader:
            y_val_pred = model(X_val_batch.to(device))
            val_epoch_loss += criterion(y_val_pred, y_val_batch).item()
            val_epoch_acc += multi_acc(y_val_pred, y_val_batch).item()
    loss_stats['train'].append(train_epoch_loss / len(train_loader))
    loss_stats['val'].append(val_epoch_loss / len(val_loader))
    print(f'Epoch {e:03}: | Train Loss: {loss_stats["train"][-1]:.5f} | Val Acc: {val_epoch_acc/len(val_loader):.3f}')

# %%
train_val_loss_df = pd.DataFrame.from_dict(loss_stats).reset_index().melt(id_vars=['index']).rename(columns={"index": "epochs"})
for name, part in train_val_loss_df.groupby('variable'):
    plt.plot(part['epochs'], part['value'], label=name)
plt.legend()
plt.show()

# %%
y_pred_list = []
with torch.no_grad():
    model.eval()
    for X_batch, _ in test_loader:
        y_test_pred = model(X_batch.to(device))
        _, y_pred_tags = torch.max(y_test_pred, dim=1)
        y_pred_list.append(y_pred_tags.cpu().numpy())
y_pred_list = [a.squeeze().tolist() for a in y_pred_list]
heat = pd.DataFrame(confusion_matrix(y_test, y_pred_list)).rename(columns=idx2class, index=idx2class)
report = classification_report(y_test, y_pred_list, output_dict=True, zero_division=0)["accuracy"]
heat

