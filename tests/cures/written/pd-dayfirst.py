# group: data
# seen: 2026-11-28
# fails: ValueError: time data "25/03/2024" doesn't match format "%m/%d/%Y". You might want to try:
# cause: The booking dates are day-first ("05/03/2024"); to_datetime takes the format month/day from the first one
#   and fails at the first day above 12.
# holds: str(bookings["checkin"].min().date()) -> '2024-03-05'
# holds: int(bookings["nights"].sum()) -> 22
# holds: monthly.to_dict() -> {3: 900, 4: 1160}

# %% [markdown]
# # Hotel bookings EDA

# %%
import pandas as pd
import io

# %%
csv = """booking,guest,checkin,checkout,rate
1,Ivanov,05/03/2024,08/03/2024,90
2,Costa,11/03/2024,12/03/2024,120
3,Meyer,25/03/2024,31/03/2024,85
4,Okafor,02/04/2024,09/04/2024,85
5,Lind,07/04/2024,10/04/2024,95
6,Sato,30/04/2024,02/05/2024,140
"""
bookings = pd.read_csv(io.StringIO(csv))
bookings.dtypes

# %%
def parse_dates(frame, cols):
    frame = frame.copy()
    for c in cols:
        frame[c] = pd.to_datetime(frame[c])
    return frame

# %% [repaired]
def parse_dates(frame, cols):
    frame = frame.copy()
    for c in cols:
        frame[c] = pd.to_datetime(frame[c], format="%d/%m/%Y")
    return frame

# %%
bookings = parse_dates(bookings, ["checkin", "checkout"])
bookings["nights"] = (bookings["checkout"] - bookings["checkin"]).dt.days

# %%
bookings["paid"] = bookings["nights"] * bookings["rate"]
monthly = bookings.groupby(bookings["checkin"].dt.month)["paid"].sum()
monthly

# %%
monthly.plot(kind="bar", ylabel="EUR");
