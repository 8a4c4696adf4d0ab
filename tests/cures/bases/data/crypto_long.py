# library: pandas
# needs: numpy, pandas
# compare: wide, vol, signals, best_day

# %%
import numpy as np
import pandas as pd
from datetime import datetime, timedelta

# %%
np.random.seed(21)
start = datetime(2021, 1, 1)
records = []
for coin, price in [('BTC', 29000.0), ('ETH', 730.0), ('DOGE', 0.0047)]:
    for i in range(60):
        price *= 1 + np.random.normal(0.002, 0.04)
        records.append((start + timedelta(days=i), coin, price, np.random.randint(100, 1000)))
df = pd.DataFrame.from_records(records, columns=['date', 'coin', 'close', 'volume'])
df.sample(3, random_state=0)

# %%
df.set_index('date', inplace=True)
btc = df[df.coin == 'BTC'].drop('coin', axis=1)
btc['sma_5'] = btc['close'].rolling(5).mean()
btc['sma_20'] = btc['close'].rolling(20).mean()
btc['ema_10'] = btc['close'].ewm(span=10, adjust=False).mean()
btc.tail()

# %%
btc['position'] = np.where(btc['sma_5'] > btc['sma_20'], 1, 0)
btc['signal'] = btc['position'].diff()
signals = btc.loc[btc['signal'].abs() == 1, 'signal'].astype(int)
signals.index.name = None
len(signals)

# %%
wide = df.reset_index().pivot(index='date', columns='coin', values='close')
returns = np.log(wide / wide.shift(1)).dropna()
vol = returns.std() * np.sqrt(365)
vol.round(3)

# %%
weekly = df.groupby('coin').resample('W')['volume'].sum()
weekly.loc['ETH'].head()

# %%
best = returns.stack().idxmax()
best_day = (best[0].strftime('%Y-%m-%d'), best[1])
print('best single day', best_day)

