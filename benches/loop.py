"""A plain loop in Python: every pattern on every line. Usage: python3 loop.py PATTERNS FILE"""

import json
import re
import sys
import time

patterns, file = sys.argv[1:]
with open(patterns, encoding="utf-8") as source:
    compiled = [re.compile(p, re.ASCII) for p in source.read().splitlines()]
# Only newlines end a line; a carriage return is part of it.
with open(file, encoding="utf-8", newline="\n") as source:
    text = source.read()

start = time.perf_counter()
matched = 0
for line in text.split("\n"):
    found = False
    for pattern in compiled:
        if pattern.search(line):
            found = True
    if found:
        matched += 1
print(json.dumps({"matched": matched, "seconds": time.perf_counter() - start}))
