# library: scikit-learn
# needs: numpy, pandas, sklearn
# compare: table, r2_best, n_zero

# %%
import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression, Ridge, Lasso
from sklearn.metrics import mean_squared_error, r2_score
from sklearn.model_selection import train_test_split

# %%
bunch = load_diabetes(as_frame=True)
df = bunch.frame
df.shape

# %%
df.head()

# %%
df.corr()["target"].sort_values(ascending=False).head(4)

# %%
X = df.drop(columns=["target"])
y = df["target"]
X_train, X_val, y_train, y_val = train_test_split(X, y, test_size=0.2, random_state=10)

# %%
models = {
    "ols": LinearRegression(),
    "ridge": Ridge(alpha=0.5),
    "lasso": Lasso(alpha=0.3),
}
results = []
for name, reg in models.items():
    reg.fit(X_train, y_train)
    pred = reg.predict(X_val)
    results.append({
        "model": name,
        "rmse": np.sqrt(mean_squared_error(y_val, pred)),
        "r2": r2_score(y_val, pred),
    })
table = pd.DataFrame(results).set_index("model").round(3)
table

# %%
r2_best = table["r2"].max()
n_zero = int((models["lasso"].coef_ == 0).sum())
print(f"best R2 {r2_best}, lasso dropped {n_zero} of {X.shape[1]} features")

