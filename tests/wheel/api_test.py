"""The functions and the command, as the wheel installs them; nothing but Python is needed."""

import concurrent.futures
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import nbmedic

MISSPELT = """Traceback (most recent call last):
  Cell In[{n}], line {line}
    print(totl)
NameError: name 'totl' is not defined
"""
COMMAND = [os.path.join(sys.prefix, "bin/nbmedic")]


def cell(source, count, *printed):
    outputs = [{"output_type": "stream", "name": "stderr", "text": text} for text in printed]
    return {"cell_type": "code", "metadata": {}, "execution_count": count, "source": source, "outputs": outputs}


def notebook():
    cells = [cell("total = 3", 1), cell("print(totl)", 2, MISSPELT.format(n=2, line=1))]
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}


class Functions(unittest.TestCase):
    def setUp(self):
        there = tempfile.TemporaryDirectory()
        self.addCleanup(there.cleanup)
        self.book = pathlib.Path(there.name, "run.ipynb")
        self.book.write_text(json.dumps(notebook()))

    def command(self, *arguments, status=0, **more):
        done = subprocess.run([*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=60, **more)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout

    def test_a_text_is_judged_and_the_answer_cannot_be_changed(self):
        found = nbmedic.triage(MISSPELT.format(n=1, line=2))
        self.assertEqual([d.id for d in found], ["name-undefined"])
        best = found.diagnoses[0]
        self.assertEqual(best.facts["name"], "totl")
        self.assertEqual(best.evidence[0].line, 4)
        self.assertIsNone(best.location.cell)
        self.assertGreater(best.confidence, 0.5)
        self.assertTrue(found and len(found) == 1)
        with self.assertRaises(dataclasses.FrozenInstanceError):
            best.id = "other"
        self.assertFalse(nbmedic.triage("epoch 1: loss 0.3\n"))

    def test_with_the_cells_source_the_fix_is_made_in_it(self):
        best = nbmedic.triage(MISSPELT.format(n=1, line=2), "total = 3\nprint(totl)").diagnoses[0]
        self.assertEqual((best.location.cell, best.location.line), (1, 2))
        self.assertEqual(best.fix.kind, "edit")
        self.assertEqual(best.fix.edits, (nbmedic.Edit(1, (2, 7), (2, 11), "total"),))

    def test_its_json_is_the_commands(self):
        found = nbmedic.triage_notebook(self.book)
        said = self.command("triage", "--format", "json", self.book, status=1)
        self.assertEqual(found.to_json(), said.rstrip("\n"))
        text = MISSPELT.format(n=1, line=2)
        said = self.command("triage", "--format", "json", "-", status=1, input=text)
        self.assertEqual(nbmedic.triage(text).to_json(), said.rstrip("\n"))
        said = self.command("fix", "--format", "json", self.book)
        self.assertEqual(nbmedic.fix(self.book).to_json(), said.rstrip("\n"))

    def test_a_notebook_is_repaired_as_a_file_and_as_an_object(self):
        shown = nbmedic.fix(self.book)
        self.assertEqual([(f.cell, f.state) for f in shown], [(2, "shown")])
        fixed = nbmedic.fix(notebook(), write=True, applicability="likely")
        self.assertEqual(fixed.notebook["cells"][1]["source"], "print(total)")
        self.assertEqual([f.state for f in fixed], ["written"])
        self.assertIsNone(nbmedic.fix(notebook()).notebook)
        self.assertEqual(nbmedic.fix(self.book, write=True).failures[0].state, "not-sure-enough")
        written = nbmedic.fix(self.book, write=True, applicability="likely")
        self.assertEqual(json.loads(self.book.read_text())["cells"][1]["source"], "print(total)")
        self.assertEqual(json.loads(pathlib.Path(written.backup).read_text()), notebook())
        self.assertEqual(written.run, (2,))

    def test_what_cannot_be_read_is_said(self):
        with self.assertRaisesRegex(ValueError, "nowhere.ipynb"):
            nbmedic.triage_notebook("nowhere.ipynb")
        with self.assertRaisesRegex(ValueError, "not a notebook"):
            nbmedic.fix({"cells": 3})
        with self.assertRaisesRegex(ValueError, "'sure', 'likely' or 'maybe'"):
            nbmedic.fix(self.book, write=True, applicability="certain")
        with self.assertRaisesRegex(ValueError, "not a text"):
            nbmedic.triage("PK\x03\x04 and the rest of an archive")
        with self.assertRaisesRegex(KeyError, "name-undefined"):
            nbmedic.explain("name-undefine")

    def test_every_diagnosis_is_explained(self):
        for id in nbmedic.ids():
            page = nbmedic.explain(id)
            self.assertTrue(page.title and page.meaning and page.fixes, id)
        self.assertEqual(nbmedic.explain("gpu-oom/fragmented").id, "gpu-oom")

    def test_secrets_are_taken_out_on_request(self):
        secret = "hf_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zB9dF1hJ3l"
        text = f"Traceback (most recent call last):\n  Cell In[1], line 1\nKeyError: '{secret}'\n"
        self.assertIn(secret, nbmedic.triage(text).to_json())
        self.assertNotIn(secret, nbmedic.triage(text, redact=True).to_json())

    def test_what_a_text_or_its_cell_names_is_known_everywhere(self):
        secret = "Vq7mWz2LpX9c"
        bare = f"Traceback (most recent call last):\n  Cell In[1], line 2\nKeyError: '{secret}'\n"
        self.assertNotIn(secret, nbmedic.triage(bare, f"password = '{secret}'\nf()", redact=True).to_json())
        self.assertNotIn(secret, nbmedic.triage(f"{bare}password='{secret}'\n", redact=True).to_json())
        self.assertEqual(nbmedic.redact(f"password='{secret}' {secret}"), "password='[redacted-password]' [redacted-password]")

    def test_threads_and_a_fork_get_the_same_answer(self):
        text = MISSPELT.format(n=1, line=2)
        want = nbmedic.triage(text).to_json()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda _: nbmedic.triage(text).to_json(), range(64)))
        self.assertEqual(set(answers), {want})
        child = os.fork()
        if child == 0:
            os._exit(0 if nbmedic.triage(text).to_json() == want else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_other_threads_run_while_the_engine_works(self):
        text = "".join(f"step {i}: {MISSPELT.format(n=i, line=2)}" for i in range(4000))
        counted, over = [0], threading.Event()

        def count():
            while not over.is_set():
                counted[0] += 1
                # Gives the lock back: with this interval, nobody takes it away.
                time.sleep(0)

        # With the interpreter's lock held, the other thread would get no turn inside the call.
        before = sys.getswitchinterval()
        sys.setswitchinterval(600)
        self.addCleanup(sys.setswitchinterval, before)
        thread = threading.Thread(target=count)
        thread.start()
        first = counted[0]
        nbmedic._engine.triage_text(text)
        seen = counted[0] - first
        over.set()
        sys.setswitchinterval(before)
        thread.join()
        self.assertGreater(seen, 0)

    def test_the_command_is_there(self):
        self.assertEqual(self.command("--version"), f"nbmedic {nbmedic.__version__}\n")
        self.assertIn("Explains why a notebook failed", self.command("--help"))
        self.assertIn("not a diagnosis", subprocess.run([*COMMAND, "explain", "x"], capture_output=True, text=True).stderr)
        module = subprocess.run([sys.executable, "-m", "nbmedic", "--version"], capture_output=True, text=True)
        self.assertEqual(module.stdout, f"nbmedic {nbmedic.__version__}\n")

    def test_the_types_are_there(self):
        folder = pathlib.Path(nbmedic.__file__).parent
        self.assertTrue((folder / "py.typed").exists() and (folder / "_engine.pyi").exists())
        stub = (folder / "_engine.pyi").read_text()
        public = [name for name in dir(nbmedic._engine) if not name.startswith("_")]
        self.assertEqual([name for name in public if f"def {name}(" not in stub], [])


if __name__ == "__main__":
    unittest.main()
