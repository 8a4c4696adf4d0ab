# library: scikit-learn
# needs: pandas, sklearn
# compare: f1, vocabulary_size, verdicts

# %%
import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.naive_bayes import MultinomialNB
from sklearn.metrics import f1_score

# %%
ham = ["are we still on for lunch", "call me when you land", "the meeting moved to friday", "can you send the slides",
       "happy birthday see you tonight", "i left the keys on the table", "running late be there soon", "did you feed the cat"]
spam = ["win a free prize now", "claim your free cash reward", "urgent your account has won", "free entry text win to claim",
        "cheap loans approved now", "congratulations you won a free cruise", "act now limited offer cash"]
df = pd.DataFrame({"label": ["ham"] * len(ham) + ["spam"] * len(spam), "message": ham + spam})
df.to_csv("sms.tsv", sep="\t", index=False, header=False)

# %%
sms = pd.read_csv("sms.tsv", sep="\t", names=["label", "message"])
sms["length"] = sms["message"].apply(len)
sms.groupby("label")["length"].describe()

# %%
sms = sms.sample(frac=1, random_state=5).reset_index(drop=True)
split = int(len(sms) * 0.7)
train, test = sms[:split], sms[split:]
len(train), len(test)

# %%
vec = CountVectorizer(stop_words="english", ngram_range=(1, 2))
counts = vec.fit_transform(train["message"])
tfidf = TfidfTransformer()
X = tfidf.fit_transform(counts)
vocabulary_size = len(vec.vocabulary_)
X.shape

# %%
nb = MultinomialNB(alpha=0.5)
nb.fit(X, train["label"])
pred = nb.predict(tfidf.transform(vec.transform(test["message"])))
f1 = f1_score(test["label"], pred, pos_label="spam")
print("F1", f1)

# %%
def classify(msg):
    x = tfidf.transform(vec.transform([msg]))
    return nb.predict(x)[0]

verdicts = {m: str(classify(m)) for m in ["free cash now", "see you at lunch"]}
verdicts
