# library: python
# compare: results, call_log, cache_info, timeline

# %%
import functools
import time
from contextlib import contextmanager

call_log = []

def logged(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        call_log.append(func.__name__)
        return func(*args, **kwargs)
    return wrapper

def retry(times, exceptions=(ValueError,)):
    def decorator(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            last = None
            for attempt in range(1, times + 1):
                try:
                    return func(*args, **kwargs)
                except exceptions as e:
                    last = e
            raise last
        return wrapper
    return decorator

# %%
answers = iter([None, None, "ok", "fine"])

@retry(times=3)
@logged
def flaky(label):
    got = next(answers)
    if got is None:
        raise ValueError("not yet")
    return f"{label}:{got}"

results = [flaky("first"), flaky(label="second")]
results

# %%
call_log

# %%
@functools.lru_cache(maxsize=32)
def partitions(n, largest=None):
    if largest is None:
        largest = n
    if n == 0:
        return 1
    return sum(partitions(n - k, k) for k in range(1, min(n, largest) + 1))

count = partitions(12)
cache_info = partitions.cache_info()._asdict()
count

# %%
timeline = []

@contextmanager
def stage(name):
    timeline.append(f"start {name}")
    try:
        yield name.upper()
    finally:
        timeline.append(f"end {name}")

with stage("load") as tag:
    with stage("parse"):
        timeline.append(tag)
print(timeline)

