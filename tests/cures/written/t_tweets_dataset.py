# group: torch
# seen: 2026-11-29b
# fails: KeyError: 4
# cause: after the split the frame keeps its old index; df["text"][i] looks for the label i, the i-th row (iloc) is meant.
# holds: len(got) -> 9
# holds: sorted(got) == sorted(train_df["text"]) -> True
# holds: total == int(train_df["likes"].sum()) -> True

# %%
import pandas as pd
import torch
from torch.utils.data import Dataset, DataLoader
from sklearn.model_selection import train_test_split

# %%
tweets = pd.DataFrame({
    "text": [f"tweet {c}" for c in "abcdefghijkl"],
    "likes": [3, 0, 12, 5, 8, 1, 0, 44, 7, 2, 9, 10],
})
train_df, val_df = train_test_split(tweets, test_size=0.25, random_state=0)
train_df.head()

# %%
class TweetDS(Dataset):
    def __init__(self, df):
        self.df = df

    def __len__(self):
        return len(self.df)

    def __getitem__(self, i):
        return self.df["text"][i], torch.tensor(self.df["likes"][i], dtype=torch.float32)

# %% [repaired]
class TweetDS(Dataset):
    def __init__(self, df):
        self.df = df

    def __len__(self):
        return len(self.df)

    def __getitem__(self, i):
        row = self.df.iloc[i]
        return row["text"], torch.tensor(row["likes"], dtype=torch.float32)

# %%
loader = DataLoader(TweetDS(train_df), batch_size=4)
got, total = [], 0
for texts, likes in loader:
    got += list(texts)
    total += int(likes.sum())

# %%
print(len(got), "tweets,", total, "likes")
