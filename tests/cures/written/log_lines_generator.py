# group: data
# seen: 2026-11-29d
# fails: KeyError: 'code'
# cause: parse() is a generator and the quick look with list(records) used it up, so the frame is made of nothing;
#   keep the parsed rows in a list.
# holds: len(log) -> 6
# holds: per_code.to_dict() -> {200: 1024, 304: 0, 403: 174, 404: 44}

# %%
import re
import pandas as pd

# %%
LINES = """10.0.0.1 GET /index 200 512
10.0.0.7 GET /img/a.png 304 0
10.0.0.1 POST /login 403 87
broken line
10.0.0.9 GET /index 200 512
10.0.0.7 GET /admin 403 87
10.0.0.3 GET /missing 404 44""".splitlines()
PAT = re.compile(r"(\S+) (GET|POST) (\S+) (\d{3}) (\d+)")

# %%
def parse(lines):
    for ln in lines:
        m = PAT.fullmatch(ln)
        if m is None:
            continue
        ip, verb, path, code, size = m.groups()
        yield {"ip": ip, "verb": verb, "path": path, "code": int(code), "size": int(size)}

# %%
records = parse(LINES)
print(len(list(records)), "of", len(LINES), "lines are fine")

# %% [repaired]
records = list(parse(LINES))
print(len(records), "of", len(LINES), "lines are fine")

# %%
log = pd.DataFrame(records)

# %%
per_code = log.groupby("code")["size"].sum()
per_code
