"""`nbmedic fleet` on a small corpus: what is read, kept, the same again, and shown."""

import gzip
import html.parser
import io
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile
from unittest import mock

import fsspec
import pyarrow.parquet as pq
from nbmedic import fleet
from nbmedic.fleet import inputs, parts

TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3
FULL = "OSError: [Errno 28] No space left on device: '/data/<b>part-{n}'"
MISSING = "Traceback (most recent call last):\n  File \"run.py\", line 3, in <module>\nModuleNotFoundError: No module named 'xarray'\n"
LOG = f"2026-03-01 10:00:00,000 start key={TOKEN}\n2026-03-01 11:30:00,000 step\n{FULL.format(n=1)} {TOKEN}\n"


def cell(name, start, end):
    said = [f"NameError: name '{name}' is not defined"]
    outputs = [{"output_type": "error", "ename": "NameError", "evalue": said[0][11:], "traceback": said}]
    times = {"iopub.execute_input": start, "shell.execute_reply": end}
    return {"cell_type": "code", "execution_count": 1, "metadata": {"execution": times}, "source": [f"print({name})"], "outputs": outputs}


def book(*cells):
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


BOOK = book(cell("totl", "2026-03-02T08:00:00Z", "2026-03-02T08:30:00Z"), cell("cout", "2026-03-02T09:00:00Z", "2026-03-02T09:00:30Z"))


def corpus(home):
    """Every kind of input."""
    home = pathlib.Path(home, "home", "ada")
    (home / ".hidden").mkdir(parents=True)
    (home / ".hidden" / "no.log").write_text(LOG)
    (home / "a.ipynb").write_text(BOOK)
    (home / "job.log").write_text(LOG)
    (home / "out.txt.gz").write_bytes(gzip.compress(MISSING.encode()))
    (home / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    (home / "broken.zip").write_bytes(b"PK\x03\x04 and no more")
    (home / "broken.log.gz").write_bytes(gzip.compress(MISSING.encode() * 99)[:-30])
    with zipfile.ZipFile(home / "many.zip", "w") as to:
        to.writestr("b.ipynb", BOOK)
        to.writestr("in/c.log.gz", gzip.compress(LOG.encode()))
    with tarfile.open(home / "old.tar.gz", "w:gz") as to:
        for name, text in ("d.log", LOG), ("quiet.log", "all is well\n"), ("<script>alert(1)<", MISSING):
            info = tarfile.TarInfo(name)
            info.size, info.mtime = len(text), 1_700_000_000
            to.addfile(info, io.BytesIO(text.encode()))
    return str(home)


def read(out):
    return pq.read_table(os.path.join(out, "failures")).to_pylist()


def state(out):
    """Each part's bytes and inode."""
    files = sorted(pathlib.Path(out, "failures").iterdir())
    return {file.name: (file.read_bytes(), file.stat().st_ino) for file in files}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)


class Fleet(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = folder.name
        self.out = os.path.join(self.home, "out")
        self.paths = [corpus(self.home)]

    def test_each_failure_of_every_kind_of_input_is_a_row(self):
        page = fleet.run(self.paths, out=self.out)
        rows = read(self.out)
        at = len(self.paths[0]) + 1
        told = {(row["text_id"][at:], row["id"], row["cell"], row["line"]): row for row in rows}
        self.assertEqual(len(told), len(rows))
        want = {
            ("a.ipynb", "name-undefined", 1), ("a.ipynb", "name-undefined", 2), ("job.log", "disk-full", None),
            ("out.txt.gz", "module-missing", None), ("many.zip!b.ipynb", "name-undefined", 1), ("many.zip!b.ipynb", "name-undefined", 2),
            ("many.zip!in/c.log.gz", "disk-full", None), ("old.tar.gz!d.log", "disk-full", None),
            ("old.tar.gz!<script>alert(1)<", "module-missing", None),
        }
        self.assertEqual({key[:3] for key in told}, want)
        log = told["job.log", "disk-full", None, 3]
        self.assertEqual((log["kind"], log["time"].isoformat(), log["seconds"]), ("log", "2026-03-01T11:30:00+00:00", 5400))
        first = told["a.ipynb", "name-undefined", 1, 1]
        self.assertEqual((first["kind"], first["time_from"], first["seconds"]), ("notebook", "cell", 1800))
        self.assertEqual({row["time_from"] for row in rows}, {"cell", "log", "file"})
        self.assertEqual(len({row["person"] for row in rows}), 1)
        files = pq.read_table(os.path.join(self.out, "failures")).schema
        self.assertEqual((files.names, files.types), (parts.schema().names, parts.schema().types))
        self.assertNotIn(TOKEN, str(rows))
        said = pathlib.Path(page).read_text()
        self.assertIn("9 failures in 7 of", said)
        self.assertIn("Not read: 3", said)

    def test_the_summary_has_no_script_no_address_and_no_secret(self):
        pathlib.Path(self.paths[0], f"{TOKEN}.log").write_text("ModuleNotFoundError: No module named '<img src=x onerror=a>'\n" + LOG)
        said = pathlib.Path(fleet.run(self.paths, out=self.out, gpus=2)).read_text()
        page = Page(said)
        self.assertFalse(page.tags & {"script", "img", "iframe", "link", "object", "form", "a"}, page.tags)
        self.assertFalse([name for name in page.attributes if name.startswith("on") or name in ("src", "href", "srcset")])
        self.assertIn("default-src 'none'", said)
        self.assertFalse(re.search(r"https?:|url\(|@import", said))
        self.assertNotIn(TOKEN, said)
        self.assertNotIn("/home/ada", said)
        self.assertIn("GPU hours", said)

    def test_the_same_input_gives_the_same_files(self):
        with mock.patch.object(parts, "FILES", 2):
            fleet.run(self.paths, out=self.out, jobs=1)
            other = os.path.join(self.home, "other")
            fleet.run(reversed(self.paths * 2), out=other, jobs=4)
        one, two = state(self.out), state(other)
        self.assertGreater(len(one), 3)
        self.assertEqual({name: data for name, (data, _) in one.items()}, {name: data for name, (data, _) in two.items()})
        self.assertEqual(*(pathlib.Path(out, "summary.html").read_bytes() for out in (self.out, other)))

    def test_a_killed_run_goes_on_where_it_was(self):
        stuck = (
            "import os, pathlib, sys, time; from nbmedic import fleet; from nbmedic.fleet import parts; parts.FILES = 1; true = parts.write\n"
            "def write(part, out):\n"
            "    if part.number < 3: return true(part, out)\n"
            "    pathlib.Path(out, 'failures', '.part-00003.parquet.1.new').write_text('half'); print('stuck', flush=True); time.sleep(600)\n"
            "parts.write = write; sys.exit(fleet.main([*sys.argv[1:], '--jobs', '1']))"
        )
        command = [sys.executable, "-c", stuck, *self.paths, "--out", self.out]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
            self.assertEqual(child.stdout.readline(), b"stuck\n")
            child.send_signal(signal.SIGKILL)
        before = {name: one for name, one in state(self.out).items() if name.startswith("part-")}
        self.assertEqual(len(before), 3)
        self.assertFalse(os.path.exists(os.path.join(self.out, "summary.html")))
        with mock.patch.object(parts, "FILES", 1):
            seen = []
            fleet.run(self.paths, out=self.out, told=lambda done, every: seen.append((done, every)))
            every = len(state(self.out))
            self.assertEqual((seen[0], seen[-1]), ((3, every), (every, every)))
            after = state(self.out)
            self.assertEqual({name: after[name] for name in before}, before)
            self.assertFalse([name for name in after if name.startswith(".")])
            whole = os.path.join(self.home, "whole")
            fleet.run(self.paths, out=whole)
        self.assertEqual([one[0] for one in after.values()], [one[0] for one in state(whole).values()])

    def test_a_later_run_says_what_is_new_and_refuses_anothers_folder(self):
        fleet.run(self.paths, out=self.out)
        pathlib.Path(self.paths[0], "z.log").write_text("ModuleNotFoundError: No module named 'polars'\n")
        with self.assertRaisesRegex(ValueError, "holds the result of other files"):
            fleet.run(self.paths, out=self.out)
        said = pathlib.Path(fleet.run(self.paths, out=os.path.join(self.home, "next"), since=self.out)).read_text()
        self.assertIn("1 of them new, 0 gone", said)
        self.assertEqual(said.count('<span class="new">'), 1)

    def test_a_long_log_in_pieces_tells_each_failure_once_and_at_its_line(self):
        lines = [f"step {n} is well\n" for n in range(4000)]
        lines[1000:1000] = lines[3000:3000] = [MISSING]
        lines[2500:2500] = [FULL.format(n=7) + "\n"]
        path = os.path.join(self.home, "long.log")
        pathlib.Path(path).write_text("".join(lines))
        with mock.patch.object(inputs, "PIECE", 10000):
            fleet.run([path], out=self.out)
        found = [(row["id"], row["line"]) for row in read(self.out)]
        self.assertEqual(found, [("module-missing", 1003), ("disk-full", 2503)])

    def test_the_summary_counts_people_hours_days_and_what_is_new(self):
        home = pathlib.Path(self.home, "logs", "home")
        for who, day, hours in (("ada", 1, 2), ("ada", 2, 1), ("grace", 2, 3)):
            folder = home / who
            folder.mkdir(parents=True, exist_ok=True)
            said = f"2026-03-0{day} 10:00:00 start\n2026-03-0{day} 1{hours}:00:00 step\n{FULL.format(n=day)}\n"
            (folder / f"{day}.log").write_text(said)
        fleet.run([str(home)], out=self.out)
        quick = home / "grace" / "quick.txt"
        quick.write_text(MISSING)
        os.utime(quick, (1772560800, 1772560800))
        said = pathlib.Path(fleet.run([str(home)], out=os.path.join(self.home, "next"), since=self.out, gpus=2)).read_text()
        self.assertIn("4 failures in 4 of 4 notebooks and logs, of 2 people, 2 causes, 1 of them new, 0 gone.", said)
        self.assertIn("12.0 GPU hours ran until a failure, where the times are known.", said)
        self.assertIn("by days, 2026-03-01 to 2026-03-03", said)
        full, missing = re.findall("<tr><td.*?</tr>", said, re.DOTALL)
        numbers = [re.findall(r'<td class="n">(.*?)</td>', one) for one in (full, missing)]
        # Failures, notebooks and logs, people, GPU hours: one gave no time.
        self.assertEqual(numbers, [["3", "3", "2", "12.0"], ["1", "1", "1", ""]])
        self.assertIn('aria-label="2026-03-01: 1, 2026-03-02: 2"', full)
        self.assertIn('aria-label="2026-03-03: 1"', missing)
        self.assertEqual(['class="new"' in one for one in (full, missing)], [False, True])

    def test_a_store_is_read_as_a_folder_is(self):
        store = fsspec.filesystem("memory")
        self.addCleanup(store.rm, "/bucket", recursive=True)
        for file in pathlib.Path(self.paths[0]).iterdir():
            if file.is_file():
                store.pipe(f"/bucket/{file.name}", file.read_bytes())
        fleet.run(["memory://bucket"], out=self.out)
        there = os.path.join(self.home, "there")
        fleet.run(self.paths, out=there)
        names = ("member", "kind", "id", "variant", "facts", "fix", "signature", "line", "cell", "said", "seconds")
        one, two = ([[row["path"].rsplit("/", 1)[1], *(row[name] for name in names)] for row in read(out)] for out in (self.out, there))
        self.assertEqual(one, two)
        self.assertEqual(len(one), 9)
        with self.assertRaisesRegex(ValueError, "nothing is there"):
            fleet.run(["memory://nowhere"], out=os.path.join(self.home, "none"))

    def test_what_is_missing_is_said(self):
        def refused(*more):
            done = subprocess.run([sys.executable, "-m", "nbmedic", "fleet", *more], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, done.stderr)
            return done.stderr

        self.assertIn("nowhere: No such file", refused("nowhere", "--out", self.out))
        self.assertIn("--out", refused("nowhere"))
        for module, engine in ("pyspark", "spark"), ("ray", "ray"):
            with mock.patch.dict(sys.modules, {module: None}), self.assertRaisesRegex(ValueError, rf"nbmedic\[{engine}\]"):
                fleet.run(self.paths, out=self.out, engine=engine)
        with mock.patch.dict(sys.modules, {"fsspec": None}), self.assertRaisesRegex(ValueError, "fsspec"):
            fleet.run(["s3://bucket/logs"], out=self.out)
        with mock.patch.dict(sys.modules, {"pyarrow.parquet": None}), self.assertRaisesRegex(ValueError, r"nbmedic\[fleet\]"):
            fleet.run(self.paths, out=self.out)


if __name__ == "__main__":
    unittest.main()
