"""The probe's command as the wheel installs it: each of its subcommands once."""

import contextlib
import os
import pathlib
import platform
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request


def until(what, look, patience):
    end = time.monotonic() + patience
    while not look():
        assert time.monotonic() < end, what
        time.sleep(0.05)


BUILT = pathlib.Path(os.environ["NBMEDIC_PROBE_BUILT"])
PREFIX = pathlib.Path(sys.prefix)
COMMAND = PREFIX / "bin/nbmedic-probe"


def said(*args, status=0):
    done = subprocess.run([COMMAND, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    assert done.returncode == status, (args, done.returncode, done.stdout)
    return done.stdout


class Probe(unittest.TestCase):
    def test_the_wheel_holds_the_program_and_the_cell_that_ship(self):
        self.assertTrue(said("--version").startswith("nbmedic-probe "))
        self.assertTrue(said("help").startswith("usage: nbmedic-probe run PID"))
        self.assertTrue(said("nonsense", status=2).startswith("usage:"))
        cell = next(BUILT / name for name in ("cell-native.py", "cell-readable.py") if (BUILT / name).exists())
        self.assertEqual(said("cell"), cell.read_text())
        program = f"share/nbmedic-probe/nbmedic-probe-{platform.machine()}"
        self.assertEqual((PREFIX / program).read_bytes(), (BUILT / pathlib.Path(program).name).read_bytes())

    def test_it_records_a_process_and_says_how_it_died(self):
        with tempfile.TemporaryDirectory() as there:
            folder = pathlib.Path(there)
            victim = subprocess.Popen(["sleep", "600"])
            try:
                said("run", victim.pid, folder)
                record = folder / "nbmedic-flight.jsonl"
                until("a sample", lambda: record.exists() and '"k":"s"' in record.read_text(), 30)
                self.assertRegex(said("watch", folder, "--once"), "RAM|emory")
                said("verdict", folder, status=3)
                watcher = subprocess.Popen([COMMAND, "watch", folder, "--metrics", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                try:
                    address = next(part for line in watcher.stdout for part in line.split() if part.startswith("http://127.0.0.1:"))
                    with urllib.request.urlopen(address.rstrip(".,"), timeout=30) as answer:
                        self.assertIn(b"\nnbmedic_memory_used_bytes ", answer.read())
                finally:
                    watcher.kill()
                    watcher.wait()
                    watcher.stdout.close()
                victim.send_signal(signal.SIGSEGV)
                victim.wait()
                until("the end", lambda: '"k":"end"' in record.read_text(), 30)
                verdict = said("verdict", folder, status=1)
                self.assertIn("native-crash (likely); status: signal 11, SIGSEGV", verdict)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    victim.kill()
                victim.wait()
