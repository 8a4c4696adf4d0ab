"""Reads the public names and parameters of libraries off the libraries themselves, release by release.

    signatures.py dump [LIBRARY...]    install each release of libraries.toml and read it into target/signatures/raw
    signatures.py pack [LIBRARY...]    write src/libraries/tables from what was read
    signatures.py [LIBRARY...]         both

Needs Python 3.11 and, for old releases, older ones: `python3.8` on the path or in pyenv. A release that has no wheel
or does not import is reported and left out. Each release is removed again once it was read.
"""

import glob
import json
import os
import shutil
import subprocess
import sys
import tomllib

from pack import pack

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
RAW = os.path.join(ROOT, "target", "signatures", "raw")
ENV = os.path.join(ROOT, "target", "signatures", "env")
TABLES = os.path.join(ROOT, "src", "libraries", "tables")
INSTALL_LIMIT_S = 1200
READ_LIMIT_S = 400


def python(version):
    """The interpreter of a version such as "3.8"; None if this machine has none."""
    found = sorted(glob.glob(os.path.expanduser(f"~/.pyenv/versions/{version}.*/bin/python")))
    return found[-1] if found else shutil.which(f"python{version}")


def releases(settings):
    """Each release as (python, release, extra requirements, whether releases before it were left out)."""
    for line in settings["releases"]:
        words, _, extra = line.partition("|")
        interpreter, *names = words.split()
        gap = False
        for name in names:
            if name == "...":
                gap = True
                continue
            yield interpreter, name, extra.split(), gap
            gap = False


def pin(name):
    """A requirement's version: the newest patch, where the release names a minor version."""
    return f"=={name}.*" if name.count(".") < 2 else f"=={name}"


def run(words, limit, **options):
    try:
        done = subprocess.run(words, timeout=limit, capture_output=True, text=True, **options)
    except subprocess.TimeoutExpired:
        return f"took more than {limit} s"
    lines = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
    wrong = [line for line in lines if line.startswith("ERROR")] or lines[-1:]
    return None if done.returncode == 0 else (wrong[0] if wrong else f"exit status {done.returncode}")


def install(interpreter, requirements, deps):
    """Installs into a fresh environment: an error's text, or None."""
    shutil.rmtree(ENV, ignore_errors=True)
    error = run([interpreter, "-m", "venv", "--without-pip", ENV], 60)
    if error:
        return error
    site = glob.glob(os.path.join(ENV, "lib", "python*", "site-packages"))[0]
    pip = [interpreter, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--target", site]
    for options, wanted in ([], requirements), (["--no-deps", "--upgrade"], deps):
        error = wanted and run(pip + options + wanted, INSTALL_LIMIT_S)
        if error:
            return error
    return None


def numbers(version):
    return [int(n) for n in version.split(".")]


def raws(library):
    """What was read of a library, oldest release first."""
    return sorted(glob.glob(os.path.join(RAW, library, "*.json")), key=lambda path: numbers(os.path.basename(path)[:-5]))


def read(library, settings, out, before):
    """Reads one library of the environment into a file: an error's text, or None."""
    request = {
        "out": out + ".part",
        "imports": settings["imports"],
        "deep": settings["modules"],
        "shallow": settings.get("shallow", []),
        "skip": settings.get("skip", []),
        "depth": settings.get("depth", 3),
        "sources": settings.get("sources", []),
    }
    if before:
        with open(before) as file:
            request["before"] = {m: list(names) for m, names in json.load(file)["modules"].items()}
    os.makedirs(os.path.dirname(out), exist_ok=True)
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "MPLBACKEND": "agg", "CUDA_VISIBLE_DEVICES": ""}
    environment = {}
    for first, values in settings.get("environment", {}).items():
        if numbers(os.path.basename(out)[:-5]) >= numbers(first):
            environment |= values
    error = run(
        [os.path.join(ENV, "bin", "python"), os.path.join(HERE, "dump.py")],
        READ_LIMIT_S,
        input=json.dumps(request),
        env=os.environ | quiet | environment,
        cwd=os.path.dirname(ENV),
    )
    if not error:
        os.replace(out + ".part", out)
    return error


def dump(library, everything):
    settings = everything[library]
    package = settings.get("package", library)
    before = None
    for number, name, extra, _ in releases(settings):
        out = os.path.join(RAW, library, name + ".json")
        if os.path.exists(out):
            before = out
            continue
        interpreter = python(number)
        with_it = [settings["with"][name]] if name in settings.get("with", {}) else []
        own = [package + pin(name)] + with_it
        needs = settings.get("needs", []) + extra
        if not interpreter:
            error = f"no Python {number} here"
        elif name in settings.get("no_deps", {}):
            error = install(interpreter, needs, own + settings["no_deps"][name])
        elif settings.get("deps", True):
            error = install(interpreter, own + needs, [])
        else:
            error = install(interpreter, needs, own)
        error = error or read(library, settings, out, before)
        print(f"{library} {name}: {error or 'read'}", flush=True)
        if not error:
            before = out
        for other in settings.get("also", []) if not error else []:
            minor = with_it[0].partition("==")[2].removesuffix(".*") if with_it else ""
            minor = minor or installed(other)
            earlier = raws(other)
            result = read(other, everything[other], os.path.join(RAW, other, minor + ".json"), earlier[-1] if earlier else None)
            print(f"{other} {minor}: {result or 'read'}", flush=True)
        shutil.rmtree(ENV, ignore_errors=True)


def installed(package):
    """The minor version of a package in the environment."""
    found = glob.glob(os.path.join(ENV, "lib", "python*", "site-packages", package + "-*.dist-info"))
    return ".".join(os.path.basename(found[0]).split("-")[1].split(".")[:2]) if found else "0.0"


def write(library, settings):
    """Writes a library's table and prints how large it is."""
    gaps = {name for _, name, _, gap in releases(settings) if gap}
    found = raws(library)
    if not found:
        return
    dumps = []
    wanted = [name for _, name, _, _ in releases(settings)]
    for path in found:
        name = os.path.basename(path)[:-5]
        if name in wanted or not wanted:
            with open(path) as file:
                dumps.append((name, json.load(file)))
    have = [name for name, _ in dumps]
    # A release that could not be read leaves a gap before the next one.
    missing = False
    for name in wanted:
        missing = missing or name in gaps or name not in have
        if missing and name in have:
            gaps.add(name)
            missing = False
    if not wanted:
        gaps.update(have[1:])
    text = pack(library, settings, dumps, gaps)
    os.makedirs(TABLES, exist_ok=True)
    with open(os.path.join(TABLES, library + ".txt"), "w") as file:
        file.write(text)


def main():
    words = sys.argv[1:]
    mode = words.pop(0) if words[:1] in (["dump"], ["pack"]) else "both"
    with open(os.path.join(HERE, "libraries.toml"), "rb") as file:
        everything = tomllib.load(file)
    wanted = words or list(everything)
    for library in wanted:
        if library not in everything:
            sys.exit(f"signatures: libraries.toml has no {library}")
        if mode != "pack" and everything[library]["releases"]:
            dump(library, everything)
    for library in wanted:
        if mode != "dump":
            write(library, everything[library])


main()
