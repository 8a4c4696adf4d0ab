# library: python
# compare: table, totals, ascii_bar, parsed

# %%
from textwrap import dedent, fill, shorten
from configparser import ConfigParser
import re

cfg_text = dedent("""
    [report]
    title = Quarterly figures
    currency = EUR
    width = 40

    [regions]
    north = 120.5, 130.25, 99
    south = 80, 95.75, 110
    west = 60.4, 0, 71.9
""")
with open("report.ini", "w") as f:
    f.write(cfg_text)

# %%
config = ConfigParser()
config.read("report.ini")
config.sections()

# %%
width = config.getint("report", "width")
parsed = {}
for region, numbers in config["regions"].items():
    parsed[region] = [float(x) for x in numbers.split(",")]
parsed

# %%
totals = {r: sum(v) for r, v in parsed.items()}
header = f"{'region':<10}" + "".join(f"{'M' + str(i + 1):>8}" for i in range(3)) + f"{'total':>10}"
lines = [header, "-" * len(header)]
for region in sorted(parsed, key=totals.get, reverse=True):
    months = parsed[region]
    lines.append(f"{region.title():<10}" + "".join(f"{m:8.1f}" for m in months) + f"{totals[region]:10.2f}")
table = "\n".join(lines)
print(config["report"]["title"].center(len(header)))
print(table)

# %%
top = max(totals.values())
ascii_bar = {r: "#" * round(20 * t / top) for r, t in totals.items()}
for r, bar in ascii_bar.items():
    print(f"{r:>6} |{bar}")

# %%
note = "The figures of the western branch are not complete: the shop was closed for repairs in the second month."
print(fill(note, width=width))
print(shorten(note, 30, placeholder="..."))
re.sub(r"\bwestern\b", "southern", note)
