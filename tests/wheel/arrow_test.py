"""`nbmedic.arrow.triage` on batches of pyarrow."""

import concurrent.futures
import json
import unittest

import nbmedic
import pyarrow as pa
from nbmedic import arrow

MISSING = "Traceback (most recent call last):\n  File \"run.py\", line {n}, in <module>\nModuleNotFoundError: No module named 'xarray{more}'\n"
FULL = "step {n}\nOSError: [Errno 28] No space left on device: '/data/run-{n}/part-0001'\n"
TEXTS = ["all is well\n", MISSING.format(n=3, more=""), None, FULL.format(n=7), MISSING.format(n=812, more=""), MISSING.format(n=1, more="_extra")]
NAMES = ["row", "text_id", "id", "variant", "confidence", "title", "facts", "fix", "signature", "line", "cell", "said"]


class Arrow(unittest.TestCase):
    def batch(self, kind=pa.string(), **more):
        return pa.record_batch({"text": pa.array(TEXTS, kind), **more})

    def test_each_failure_is_a_row_and_the_schema_is_fixed(self):
        told = arrow.triage(self.batch())
        self.assertIsInstance(told, pa.RecordBatch)
        self.assertEqual(told.schema.names, NAMES)
        self.assertEqual(list(arrow.COLUMNS), NAMES)
        kinds = dict(zip(told.schema.names, map(str, told.schema.types)))
        words = {"bigint": "int64", "string": "string", "float": "float", "map<string,string>": "map<string, string>"}
        for name, kind in arrow.COLUMNS.items():
            self.assertTrue(kinds[name].startswith(words[kind]), (name, kinds[name]))
        self.assertEqual(told["row"].to_pylist(), [1, 3, 4, 5])
        self.assertEqual(told["text_id"].to_pylist(), [None] * 4)
        # The same as text by text.
        for row in told.to_pylist():
            (best,) = nbmedic.triage(TEXTS[row["row"]], log=True)
            self.assertEqual((row["id"], row["variant"], row["title"]), (best.id, best.variant, best.title))
            self.assertAlmostEqual(row["confidence"], best.confidence, 5)
            self.assertEqual(dict(row["facts"]), {name: str(value) for name, value in best.facts.items()})
            self.assertIn(row["fix"], [fix.id for fix in best.fixes])
            self.assertEqual(row["line"], best.evidence[0].line)
        nothing = arrow.triage(pa.record_batch({"text": pa.array([], pa.string())}))
        self.assertEqual((len(nothing), nothing.schema), (0, told.schema))

    def test_a_signature_is_one_causes(self):
        first, disk, same, other = arrow.triage(self.batch())["signature"].to_pylist()
        self.assertEqual(first, same)
        self.assertEqual(len({first, disk, other}), 3)
        again = arrow.triage(pa.record_batch({"text": [FULL.format(n=90210)]}))["signature"].to_pylist()
        self.assertEqual(again, [disk])

    def test_a_notebook_of_any_length_is_judged_by_its_cells(self):
        def output(name):
            raised = [f"NameError: name '{name}' is not defined"]
            return [{"output_type": "error", "ename": "NameError", "evalue": raised[0][11:], "traceback": raised}]

        def cell(name):
            return {"cell_type": "code", "execution_count": 1, "metadata": {}, "source": [name], "outputs": output(name)}

        books = [json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell("totl"), *more]}) for more in
                 ([], [cell("cout")], [{"cell_type": "markdown", "metadata": {}, "source": ["x" * 30000]}, cell("cout")])]
        told = arrow.triage(pa.record_batch({"text": books}), log=False)
        self.assertEqual(list(zip(told["row"].to_pylist(), told["cell"].to_pylist())), [(0, 1), (1, 1), (1, 2), (2, 1), (2, 3)])
        self.assertEqual(told["said"][0].as_py(), "NameError: name 'totl' is not defined")

    def test_a_redacted_answer_has_no_secret(self):
        token = "ghp_" + "a1B2c3D4e5F6" * 3
        text = f"OSError: [Errno 28] No space left on device: '/data/{token}'"
        plain = arrow.triage(pa.record_batch({"text": [text]})).to_pylist()[0]
        clean = arrow.triage(pa.record_batch({"text": [text]}), redact=True).to_pylist()[0]
        self.assertIn(token, plain["said"])
        self.assertNotIn(token, str(clean))
        self.assertEqual((clean["id"], clean["signature"]), (plain["id"], plain["signature"]))

    def test_every_form_of_a_text_column_is_read(self):
        want = arrow.triage(self.batch())
        for kind in (pa.large_string(), pa.string_view()):
            self.assertEqual(arrow.triage(self.batch(kind)), want)
        part = arrow.triage(self.batch().slice(3, 2))
        self.assertEqual(part["row"].to_pylist(), [0, 1])
        self.assertEqual(part.drop_columns(["row"]), want.slice(1, 2).drop_columns(["row"]))
        long = "quiet line\n" * 20000 + TEXTS[3]
        self.assertEqual(arrow.triage(pa.record_batch({"text": [long]}))["line"].to_pylist(), [20002])

    def test_ids_sources_and_names(self):
        source = [None, None, None, None, None, "import xarray_extra as xr"]
        told = arrow.triage(self.batch(key=pa.array([*"abcdef"]), source=source), id="key", source="source")
        self.assertEqual(told["text_id"].to_pylist(), [*"bdef"])
        told = arrow.triage(self.batch(key=pa.array(range(10, 16), pa.int32())), id="key")
        self.assertEqual(told["text_id"].to_pylist(), ["11", "13", "14", "15"])
        renamed = pa.record_batch({"log": TEXTS})
        self.assertEqual(len(arrow.triage(renamed, text="log")), 4)
        with self.assertRaisesRegex(ValueError, 'no column "text", but log'):
            arrow.triage(renamed)
        with self.assertRaisesRegex(ValueError, "is Int64, not text"):
            arrow.triage(pa.record_batch({"text": [1]}))
        with self.assertRaisesRegex(TypeError, "not an Arrow record batch"):
            arrow.triage({"text": TEXTS})
        with self.assertRaisesRegex(TypeError, "one array"):
            arrow.triage(pa.array(TEXTS))

    def test_what_is_not_utf_8_is_refused_and_the_batch_stays(self):
        bad = pa.array([b"\xff\xfe broken"]).view(pa.string())
        with self.assertRaisesRegex(ValueError, "(?i)utf-?8"):
            arrow.triage(pa.record_batch({"text": bad}))
        batch = self.batch()
        arrow.triage(batch)
        batch.validate(full=True)
        self.assertEqual(batch["text"].to_pylist(), TEXTS)

    def test_other_libraries_batches_and_tables(self):
        class Foreign:
            def __init__(self, batch):
                self.__arrow_c_array__ = batch.__arrow_c_array__

        told = arrow.triage(Foreign(self.batch()))
        self.assertIsInstance(told, arrow.Batch)
        self.assertEqual(pa.record_batch(told), arrow.triage(self.batch()))
        with self.assertRaisesRegex(ValueError, "already"):
            pa.record_batch(told)
        table = arrow.triage(pa.Table.from_batches([self.batch(), self.batch()]))
        self.assertEqual(table["row"].to_pylist(), [1, 3, 4, 5, 7, 9, 10, 11])

    def test_threads_get_the_same_answer(self):
        want = arrow.triage(self.batch())
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertTrue(all(told == want for told in pool.map(lambda _: arrow.triage(self.batch()), range(32))))


if __name__ == "__main__":
    unittest.main()
