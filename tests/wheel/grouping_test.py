"""Whether the signature groups failures by their causes, on the labelled outputs of real programs: `python grouping_test.py` prints
the figures, and with `-v` the pairs that are wrong.

A cause is one program that was made to fail (`np-broadcast`), by which library's release and Python it ever ran: an output's name ends
with the environment (`np-broadcast-py27`). Two outputs of one cause are a pair that belongs together. Two outputs with the same label
and of two causes are a pair that belongs apart; those of two labels are counted too, but are no art. Outputs that are labelled with
no failure, or in which the engine finds another one, say nothing about the signature and are left out, and so are those of a GPU: many
programs there end in one and the same message, which says nothing of the cause.
"""

import collections
import itertools
import json
import pathlib
import sys
import unittest

import pyarrow as pa
from nbmedic import arrow

FIXTURES = pathlib.Path(__file__).parent.parent / "fixtures" / "outputs"
ENVIRONMENTS = ("modern", "mid", "old38", "old36", "py27", "py313")


def cause(name):
    start, _, end = name.rpartition("-")
    return start if end in ENVIRONMENTS else name


def measured():
    """Pairs and those that are right, for `together`, `apart` and `labels`, and the wrong ones."""
    cases = [json.loads(line) for file in sorted(FIXTURES.glob("*.jsonl")) if file.stem != "gpu" for line in file.read_text("utf-8").splitlines()]
    told = arrow.triage(pa.record_batch({"text": [case["text"] for case in cases]}), log=False).to_pylist()
    best = {}
    for row in told:
        best.setdefault(row["row"], row)
    known = [(case, best[at]["signature"]) for at, case in enumerate(cases) if at in best and best[at]["id"] == case["label"]]
    pairs, right, wrong = collections.Counter(), collections.Counter(), []
    for (one, first), (other, second) in itertools.combinations(known, 2):
        same = cause(one["id"]) == cause(other["id"])
        kind = "together" if same else "apart" if one["label"] == other["label"] else "labels"
        pairs[kind] += 1
        if (first == second) == same:
            right[kind] += 1
        else:
            wrong.append((kind, one["id"], other["id"], first, second))
    return len(known), pairs, right, wrong


class Grouping(unittest.TestCase):
    def test_one_cause_is_together_and_two_are_apart(self):
        _, pairs, right, _ = measured()
        for kind, least in LEAST.items():
            self.assertGreaterEqual(right[kind] / pairs[kind], least, kind)


LEAST = {"together": 0.94, "apart": 0.94, "labels": 1.0}
"""What holds, a little below what was measured."""


if __name__ == "__main__":
    count, pairs, right, wrong = measured()
    print(f"{count} failures")
    for kind, said in ("together", "of one cause, together"), ("apart", "of two causes and one label, apart"), ("labels", "of two labels, apart"):
        print(f"{right[kind]} of {pairs[kind]} pairs {said} ({100 * right[kind] / pairs[kind]:.1f} %)")
    if "-v" in sys.argv:
        for one in wrong:
            print(*one, sep="\t")
