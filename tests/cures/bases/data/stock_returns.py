# library: pandas
# needs: matplotlib, numpy, pandas
# compare: monthly, sharpe, corr

# %%
import pandas as pd
import numpy as np
import matplotlib.pyplot as plt
plt.style.use("ggplot")

# %%
np.random.seed(101)
days = pd.bdate_range("2022-01-03", "2022-12-30")
tickers = ["AAA", "BBB", "CCC"]
steps = np.random.multivariate_normal([0.0004, 0.0002, 0.0006], np.diag([1e-4, 4e-5, 2e-4]) + 2e-5, size=len(days))
prices = pd.DataFrame(100 * np.exp(steps.cumsum(axis=0)), index=days, columns=tickers)
prices.index.name = "Date"
prices.round(2).to_csv("prices.csv")

# %%
prices = pd.read_csv("prices.csv", index_col="Date", parse_dates=True)
prices.tail()

# %%
prices.plot(figsize=(9, 4), title="Closing prices")
plt.ylabel("USD")
plt.show()

# %%
returns = prices.pct_change().dropna()
print(returns.shape)
corr = returns.corr().round(3)
corr

# %%
monthly = prices.resample("ME").last().pct_change().dropna() * 100
monthly.round(2)

# %%
sharpe = (returns.mean() / returns.std() * np.sqrt(252)).round(3)
best = sharpe.idxmax()
cum = (1 + returns[best]).cumprod()
drawdown = cum / cum.cummax() - 1
print(f"{best}: worst drawdown {drawdown.min():.1%}")

