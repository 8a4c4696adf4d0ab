"""The table of verdicts in probe/FORMAT.md, and the ends that it judges. The library is tested against the same table
(probe/tests/library/table.rs)."""

import itertools
import json
import pathlib
import re

FORMAT = pathlib.Path(__file__).resolve().parents[2] / "probe/FORMAT.md"
ROW = r"^\| [^|]+ \| `([a-z/! -]+)` \| `(\{[^|]+\})` \| `([a-z-]+)` \| (\w+) \| ([^|]+) \|$"

# Facts of an end, and the words of a rule that they make true.
STATUSES = {
    None: "unseen", "exec": "replaced", 0: "zero", 256: "code", 9: "kill", 11: "crash", 6: "crash abort", 7: "crash bus", 31: "forbidden",
    24: "processor-limit", 25: "file-limit", 14: "alarm", 13: "pipe", 15: "told",
}
# What is judged like one of those.
ALIKE = {35072: "code", 4: "crash", 5: "crash", 8: "crash", 139: "crash", 26: "alarm", 27: "alarm", 1: "told", 40: "told"}
LOGS = (
    ({}, ""), ({"oomline": "Killed process"}, "log"), ({"oomline": "Killed process", "oomother": 1}, "log-other"),
    ({"oomline": "Killed process", "oommaybe": 1}, ""),
)
MEMORY = (
    ({}, ""), ({"last": [69, 100], "own": 49}, "low"), ({"last": [69, 100], "own": 50}, "low largest"), ({"last": [70, 100]}, ""),
    ({"last": [100, 100], "own": 80}, "largest"), ({"last": [69, 100], "spent": 1}, "low spent"),
)
ROOMS = (
    ({"shm": [3, 100], "disk": [(64 << 20) + 1, 1 << 40]}, ""), ({"shm": [2, 100], "disk": [100, 100]}, "shm-full"),
    ({"shm": [100, 100], "disk": [64 << 20, 1 << 40]}, "disk-full"), ({"shm": [0, 100], "disk": [0, 100]}, "shm-full disk-full"),
)
XIDS = ((), ""), ([(79, 9999, 0)], "gpu-broken"), ([(94, -9999, 0)], "gpu-failed"), ([(31, 500, 0)], "gpu-address")
# Those that count for nothing, or for what others count for.
MORE_XIDS = ([(13, 500, 1)], "gpu-address"), ([(13, 500, 0)], ""), ([(45, 500, 0)], ""), ([(79, 10001, 0)], ""), ([(45, 1, 0), (31, 900, 0)], "gpu-address")
FLAGS = [
    ({**({"exact": 1} if exact else {"exact": 0}), **({"fault": "Aborted"} if fault else {}), **({"n": 1} if runs else {}),
      **({"par": 0} if gone else {"par": 1}), **({"lost": 1} if lost else {})},
     " ".join(itertools.compress(("exact", "fault", "running", "server-gone", "lost"), (exact, fault, runs, gone, lost))))
    for exact, fault, runs, gone, lost in itertools.product((False, True), repeat=5)
]
COUNTS = "machine", "group", "colab", "machine-quiet", "on-colab"
FACTS = (*LOGS, *MEMORY, *ROOMS, *XIDS, *MORE_XIDS, *FLAGS)
WORDS = {word for text in (*STATUSES.values(), *(text for _, text in FACTS), *COUNTS, "elsewhere") for word in text.split()}


def rows():
    """The table: of each row the rule, the facts of the example, and what is to be said: cause, certainty, words."""
    found = [(when, json.loads(example), tuple(said)) for when, example, *said in re.findall(ROW, FORMAT.read_text(), re.M)]
    assert len(found) > 30, found
    return found


BITS = {word: 1 << at for at, word in enumerate(sorted(WORDS))}


def bits(text):
    """These words as a number with a bit for each."""
    return sum(BITS[word] for word in set(text.split()))


def rule(text):
    """The condition of a rule on such a number `s`."""
    return " and ".join(f"not s & {bits(term[1:])}" if term[0] == "!" else f"s & {bits(term.replace('/', ' '))}" for term in text.split())


def ends():
    """Every combination: the facts as an `end` line has them, the Xids, and the words that are true."""
    for statuses, logs, memory, rooms, xids in (
        (STATUSES, LOGS[:3], MEMORY, ROOMS, XIDS), (STATUSES, LOGS, MEMORY[2:4], ROOMS[1:2], MORE_XIDS), (ALIKE, LOGS, MEMORY[2:4], ROOMS[:2], XIDS),
    ):
        rest = [
            ({**a, **b, **c}, events, bits(f"{x} {y} {z} {xid}"))
            for (a, x), (b, y), (c, z), (events, xid) in itertools.product(memory, rooms, FLAGS, xids)
        ]
        elsewhere = bits("elsewhere")
        for (status, end), (log, logged), oom in itertools.product(statuses.items(), logs, itertools.product((None, 0, 2), repeat=3)):
            machine, group, colab = oom
            counts = itertools.compress(COUNTS, (machine, group, colab, machine == 0, colab is not None))
            seen = bits(f"{end} {logged} {' '.join(counts)}")
            first = {"oom": oom, **log, **({"exec": 1} if status == "exec" else {} if status is None else {"st": status})}
            beside = elsewhere if machine and group == 0 and not colab else 0
            for more, events, words in rest:
                yield {**first, **more}, events, seen | words | (beside if more["exact"] else 0)


def tests(judge):
    """Judges the example of every row, and every combination. Returns how many there were."""
    table, rules, used, count = rows(), {}, set(), 0
    for _, end, said in table:
        assert judge(end, end.get("xids", [])) == said, (end, judge(end, end.get("xids", [])), said)
    for when, _, said in table:
        # A rule that stands there again has another example, and says the same.
        assert rules.setdefault(when, said) == said, when
    rules = list(rules.items())
    first = eval("lambda s: " + "".join(f"{i} if {rule(when)} else " for i, (when, _) in enumerate(rules)) + "None")
    for end, events, seen in ends():
        row = first(seen)
        used.add(row)
        count += 1
        found = judge(end, events)
        assert found == rules[row][1], (end, events, found, rules[row])
    assert used == set(range(len(rules))), set(range(len(rules))) - used
    return count
