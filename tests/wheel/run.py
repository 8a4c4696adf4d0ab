"""Installs the wheel and runs this folder's tests on it: `run.py WHEEL PROBE [NAME…]`. PROBE is the folder with the program and the
cell that the wheel must hold; a NAME runs only the files whose names begin with it. The functions and `%load_ext nbmedic` are also
tested in the oldest and the newest Python that are found here, each with the newest ipykernel that it can have."""

import glob
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import venv

HERE = pathlib.Path(__file__).parent


def install(wheel, python):
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "install", "--quiet", "--no-index"]
    subprocess.run([*pip, "--no-deps", "--force-reinstall", wheel], check=True)


def others():
    """Other Pythons from 3.9 on: an interpreter of each release, the oldest and the newest."""
    found = {}
    for path in sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.*/bin/python3")) + glob.glob("/usr/bin/python3.*[0-9]")):
        said = subprocess.run([path, "-c", "import sys, venv; print(*sys.version_info[:2])"], capture_output=True, text=True)
        release = tuple(map(int, said.stdout.split())) if said.returncode == 0 else ()
        if release >= (3, 9) and release != sys.version_info[:2]:
            found.setdefault(release, path)
    return {release: found[release] for release in {min(found, default=()), max(found, default=())} if release}


def elsewhere(wheel, release, path):
    """Runs the tests that need no Arrow in an environment of another Python."""
    with tempfile.TemporaryDirectory() as home:
        subprocess.run([path, "-m", "venv", home], check=True)
        python = os.path.join(home, "bin/python")
        pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        subprocess.run([*pip, "--only-binary=:all:", "ipykernel", wheel], check=True)
        command = [python, "-m", "unittest", "--quiet", "api_test", "magic_test"]
        done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=300)
        versions = subprocess.run([*pip[:3], "freeze"], capture_output=True, text=True, check=True).stdout
        kernel = next((line for line in versions.splitlines() if line.startswith("ipykernel")), "")
        print(f"{'ok  ' if done.returncode == 0 else 'FAIL'} the functions and the magic in Python {'.'.join(map(str, release))}, {kernel}")
        if done.returncode:
            print(done.stdout, done.stderr)
        return done.returncode == 0


def main(wheel, built, *names):
    os.environ["NBMEDIC_PROBE_BUILT"] = os.path.abspath(built)
    os.environ["NBMEDIC_WHEEL"] = os.path.abspath(wheel)
    install(wheel, sys.executable)
    sys.path.insert(0, str(HERE))
    loader, suite = unittest.TestLoader(), unittest.TestSuite()
    for path in sorted(HERE.glob("*_test.py")):
        if not names or path.name.startswith(names):
            suite.addTests(loader.loadTestsFromName(path.stem))
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    failed = len(result.failures) + len(result.errors)
    passed = result.testsRun - failed
    if not names:
        for release, path in sorted(others().items()):
            fine = elsewhere(wheel, release, path)
            passed, failed = passed + fine, failed + (not fine)
    print(f"\n{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
