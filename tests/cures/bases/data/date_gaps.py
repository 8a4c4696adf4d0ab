# library: python
# compare: ages, next_birthday, weekday_counts

# %%
from datetime import datetime, date, timedelta
import calendar

people = """name,born
Ana,1990-02-28
Bo,1985-11-03
Chidi,2000-02-29
Dora,1978-07-19
"""
with open("people.csv", "w") as f:
    f.write(people)

# %%
birthdays = {}
for line in open("people.csv").read().splitlines()[1:]:
    name, born = line.split(",")
    birthdays[name] = datetime.strptime(born, "%Y-%m-%d").date()
birthdays

# %%
today = date(2024, 6, 15)

def age(born, today):
    had_birthday = (today.month, today.day) >= (born.month, born.day)
    return today.year - born.year - (0 if had_birthday else 1)

ages = {name: age(born, today) for name, born in birthdays.items()}
ages

# %%
def upcoming(born):
    year = today.year
    while True:
        day = born.day
        if born.month == 2 and day == 29 and not calendar.isleap(year):
            day = 28
        candidate = date(year, born.month, day)
        if candidate >= today:
            return candidate
        year += 1

soon = min(birthdays, key=lambda n: upcoming(birthdays[n]))
next_birthday = (soon, upcoming(birthdays[soon]).strftime("%d %B %Y"))
next_birthday

# %%
weekday_counts = {}
d = date(2024, 1, 1)
while d.year == 2024:
    if d.day == 13:
        name = calendar.day_name[d.weekday()]
        weekday_counts[name] = weekday_counts.get(name, 0) + 1
    d += timedelta(days=1)
print(weekday_counts["Friday"], "Friday the 13ths in 2024")

