"""The documents: what docs/python.md shows is what its blocks print, and each command that a document names is one that the wheel
installs, with options that it has."""

import contextlib
import functools
import io
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]
PAGE = ROOT / "docs/python.md"
BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<said>.*?)```\n)?", re.M | re.S)
FAILED = "Traceback (most recent call last):\n  Cell In[2], line 1\n    print(totl)\nNameError: name 'totl' is not defined\n"


def notebook():
    """The notebook that the page calls train.ipynb."""
    printed = [{"output_type": "stream", "name": "stderr", "text": FAILED}]
    cells = [(1, "total = 3", []), (2, "print(totl)", printed)]
    cells = [{"cell_type": "code", "metadata": {}, "execution_count": n, "source": code, "outputs": out} for n, code, out in cells]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells})


class Page(unittest.TestCase):
    def test_each_block_prints_what_follows_it(self):
        text, names, shown = PAGE.read_text(), {}, 0

        def run(block):
            nonlocal shown
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(block["code"], PAGE.name, "exec"), names)
            shown += block["said"] is not None
            said = printed.getvalue()
            return f"```python\n{block['code']}```\n" + (f"\n```text\n{said}```\n" if said else "")

        here = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                pathlib.Path("train.ipynb").write_text(notebook())
                right = BLOCK.sub(run, text)
            finally:
                os.chdir(here)
        self.assertGreaterEqual(shown, 5)
        if "NBMEDIC_BLESS" in os.environ:
            PAGE.write_text(right)
        else:
            self.assertEqual(text, right, "after NBMEDIC_BLESS=1 it is right")

    def test_every_public_function_is_in_the_table(self):
        import nbmedic

        text = PAGE.read_text()
        functions = [name for name in nbmedic.__all__ if not isinstance(getattr(nbmedic, name), type)]
        self.assertGreater(len(functions), 5)
        for name in functions:
            self.assertIn(f"\n| `{name}(", text)
            self.assertRegex(text, rf"\bnbmedic\.{name}\(")


@functools.cache
def help_of(program, *command):
    """What a command says of itself; None if there is no such command."""
    done = subprocess.run([f"{sys.prefix}/bin/{program}", *command, "--help"], capture_output=True, text=True, timeout=60, check=False)
    return done.stdout + done.stderr if done.returncode == 0 else None


def commands(text):
    """What a document runs of nbmedic and its probe, in its blocks and in code between its words: the program, and the rest of the line."""
    fence = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
    lines = [line for language, block in fence.findall(text) if language in ("", "sh", "text") for line in block.splitlines()]
    lines += re.findall(r"`([^`\n]+)`", fence.sub("", text))
    for line in lines:
        for part in re.split(r"\s\|\s|&&", line):
            if found := re.match(r"\s*(?:[$] )?(nbmedic|nbmedic-probe) (?![(#=])(\S.*)", part):
                yield found[1], found[2]


class Commands(unittest.TestCase):
    def check(self, program, said):
        # Without what is redirected, and what a comment or a column beside it says.
        first, *rest = words = shlex.split(re.sub(r"\s+#\s.*|\s{2,}.*|\s>.*|…", "", said))
        told = help_of(program)
        if program == "nbmedic-probe":
            self.assertRegex(told, rf"\bnbmedic-probe {first}\b")
        elif first in re.findall(r"^  (\w[\w-]*)  ", told, re.M) or first == "fleet":
            told = help_of(program, first)
        elif not first.startswith("--"):
            self.assertRegex(first, r"^-$|[A-Z./]", "neither a command nor a path")
            told = help_of(program, "triage")
        self.assertTrue(told)
        for word in words:
            name = re.match(r"--\w[\w-]*", word)
            # The package adds an option to a command that is not its own.
            if name and [first, word] != ["fix", "--try"]:
                self.assertRegex(told, rf"(?<![\w-]){name[0]}(?![\w-])")
        for option, value in zip(rest, rest[1:]):
            choices = re.search(rf"^ +{re.escape(option)} <[A-Z]+>\n(.*?)(?:\n\n +(?:-\w, )?--|\Z)", told, re.M | re.S)
            values = re.findall(r"^ +- ([\w-]+):", choices[1], re.M) if choices else []
            if values and not value.isupper():
                self.assertIn(value, values)

    def test_each_command_exists_and_has_its_options(self):
        files = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
        files = files or [str(path.relative_to(ROOT)) for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]]
        checked = 0
        for name in files:
            if name.startswith(("tests/", "src/catalog/")) and not name.endswith("README.md"):
                continue
            for program, said in commands((ROOT / name).read_text()):
                with self.subTest(file=name, command=f"{program} {said}"):
                    self.check(program, said)
                checked += 1
        self.assertGreater(checked, 40)


if __name__ == "__main__":
    unittest.main()
