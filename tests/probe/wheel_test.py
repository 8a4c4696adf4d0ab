"""Installs the wheel in an environment of its own and runs each of its commands once: `wheel_test.py WHEEL FOLDER`. The folder has
the program and the cell that the wheel must contain."""

import contextlib
import pathlib
import platform
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv


def until(what, look, patience):
    end = time.monotonic() + patience
    while not look():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def main(wheel, built):
    built = pathlib.Path(built)
    with tempfile.TemporaryDirectory() as there:
        home, folder = pathlib.Path(there, "venv"), pathlib.Path(there, "record")
        folder.mkdir()
        venv.create(home, with_pip=True)
        subprocess.run([home / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", wheel], check=True)
        command = home / "bin/nbmedic-probe"

        def said(*args, status=0):
            done = subprocess.run([command, *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
            assert done.returncode == status, (args, done.returncode, done.stdout)
            return done.stdout

        assert said("--version").startswith("nbmedic-probe ")
        assert said("help").startswith("usage: nbmedic-probe run PID")
        assert said("nonsense", status=2).startswith("usage:")
        cell = next(built / name for name in ("cell-native.py", "cell-readable.py") if (built / name).exists())
        assert said("cell") == cell.read_text()
        program = f"share/nbmedic-probe/nbmedic-probe-{platform.machine()}"
        assert (home / program).read_bytes() == (built / pathlib.Path(program).name).read_bytes()

        victim = subprocess.Popen(["sleep", "600"])
        try:
            said("run", victim.pid, folder)
            record = folder / "nbmedic-flight.jsonl"
            until("a sample", lambda: record.exists() and '"k":"s"' in record.read_text(), 30)
            assert "RAM" in said("watch", folder, "--once") or "emory" in said("watch", folder, "--once")
            said("verdict", folder, status=3)
            watcher = subprocess.Popen([command, "watch", folder, "--metrics", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            try:
                address = next(part for line in watcher.stdout for part in line.split() if part.startswith("http://127.0.0.1:"))
                with urllib.request.urlopen(address.rstrip(".,"), timeout=30) as answer:
                    assert b"\nnbmedic_memory_used_bytes " in answer.read()
            finally:
                watcher.kill()
                watcher.wait()
            victim.send_signal(signal.SIGSEGV)
            victim.wait()
            until("the end", lambda: '"k":"end"' in record.read_text(), 30)
            verdict = said("verdict", folder, status=1)
            assert "native-crash (certain); status: signal 11, SIGSEGV" in verdict, verdict
        finally:
            with contextlib.suppress(ProcessLookupError):
                victim.kill()
            victim.wait()
    print("the wheel: run, watch, watch --metrics, verdict, cell, --version and help do what they say")


if __name__ == "__main__":
    main(*sys.argv[1:])
