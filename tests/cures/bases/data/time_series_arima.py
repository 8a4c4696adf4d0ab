# library: statsmodels
# needs: numpy, pandas, statsmodels
# compare: forecast, seasonal_peak, order_aic

# %%
import numpy as np
import pandas as pd
from statsmodels.tsa.arima.model import ARIMA
from statsmodels.tsa.seasonal import seasonal_decompose

# %%
rng = np.random.RandomState(0)
idx = pd.date_range('2015-01', periods=72, freq='MS')
trend = np.linspace(110, 300, 72)
season = 25 * np.sin(2 * np.pi * (idx.month - 4) / 12)
air = pd.Series(trend + season + rng.normal(0, 4, 72), index=idx, name='passengers')
air.round(0).astype(int).to_csv('air.csv', index_label='Month')

# %%
ts = pd.read_csv('air.csv', index_col='Month', parse_dates=['Month'])['passengers']
ts.index.freq = 'MS'
ts.head()

# %%
decomp = seasonal_decompose(ts, model='additive', period=12)
by_month = decomp.seasonal.groupby(decomp.seasonal.index.month).first()
seasonal_peak = int(by_month.idxmax())
seasonal_peak

# %%
train, test = ts[:-12], ts[-12:]
print(len(train), len(test))

# %%
order_aic = {}
for p in (0, 1):
    fit = ARIMA(train.diff(12).dropna(), order=(p, 1, 1)).fit()
    order_aic[(p, 1, 1)] = round(fit.aic, 1)
order_aic

# %%
best_order = min(order_aic, key=order_aic.get)
res = ARIMA(train.diff(12).dropna(), order=best_order).fit()
steps = res.forecast(steps=12)
forecast = (train[-12:].values + steps).round(0)
mape = (np.abs(forecast.values - test.values) / test.values).mean()
print(f'MAPE {mape:.1%}')

